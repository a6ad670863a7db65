// The frame that every page has: help, the link, the choice of pages.
import {element, kWriteDelay, showMessage} from './shell.js';

// The help of a page: what is in its template, shown by the button or the key "?".
function wireHelp() {
  const [dialog, template] = [element('help'), element('help-text')];
  if (template) element('help-body').append(template.content.cloneNode(true));
  const open = () => { if (!dialog.open) dialog.showModal(); };
  element('ask-help').addEventListener('click', open);
  dialog.addEventListener('click', (event) => { if (event.target === dialog) dialog.close(); });
  window.addEventListener('keydown', (event) => {
    if (event.key !== '?' || document.activeElement?.tagName === 'TEXTAREA') return;
    event.preventDefault();
    open();
  });
}

// The address holds the state: it is what one shares.
async function share() {
  await new Promise((done) => { setTimeout(done, kWriteDelay); });
  try {
    await navigator.clipboard.writeText(location.href);
    showMessage('The address is copied: it opens this page as it is now.');
  } catch {
    showMessage('This browser lets no page copy: take the address from its bar, it opens this page as it is now.');
  }
}

wireHelp();
element('share').addEventListener('click', share);
element('pages').addEventListener('change', () => { location.href = element('pages').value; });
element('message').addEventListener('click', () => showMessage(''));
