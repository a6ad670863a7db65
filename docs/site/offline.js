// Pages that are opened as files may neither fetch the index of the search nor start its worker from a file: both come with this script then.
// INDEX and WORKER are written by tools/site.
var __search;
if (location.protocol === "file:") {
  __search = { index: Promise.resolve(INDEX) };
  const Plain = Worker;
  window.Worker = function () {
    return new Plain(URL.createObjectURL(new Blob([WORKER], { type: "text/javascript" })));
  };
}
