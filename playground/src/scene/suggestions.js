// Suggestions from a JSON schema.

const kChoices = ['oneOf', 'anyOf', 'allOf'];

function resolved(root, schema) {
  if (!schema.$ref) return schema;
  const {$ref, ...own} = schema;
  const target = $ref.slice(2).split('/').reduce((at, key) => at[key], root);
  return {...resolved(root, target), ...own};
}

// May an object of the `type` that `value` names be of this kind?
function fits(root, schema, value) {
  const type = value?.type;
  const asked = schema.properties?.type && resolved(root, schema.properties.type);
  if (typeof type !== 'string' || !asked) return true;
  return asked.enum ? asked.enum.includes(type) : asked.const === undefined || asked.const === type;
}

// The schema itself and the choices within it that fit a value.
function kinds(root, given, value) {
  const schema = resolved(root, given);
  if (!fits(root, schema, value)) return [];
  const choices = [...kChoices.flatMap((name) => schema[name] ?? []), ...['then', 'else'].flatMap((name) => schema[name] ?? [])];
  return [schema, ...choices.flatMap((choice) => kinds(root, choice, value))];
}

function within(root, schemas, key) {
  return schemas.flatMap((schema) => {
    if (typeof key === 'number') return schema.items ? [schema.items] : [];
    if (schema.properties?.[key]) return [schema.properties[key]];
    return typeof schema.additionalProperties === 'object' ? [schema.additionalProperties] : [];
  });
}

const unique = (list) => [...new Map(list.map((one) => [one.text, one])).values()];

/// [{text: what is inserted, label, note}] at a place that `placeAt` found, those first that begin with what is written.
export function suggestionsAt(root, place) {
  const {path, role, values, word, keys} = place;
  let schemas = kinds(root, root, values[0]);
  path.forEach((key, i) => { schemas = within(root, schemas, key).flatMap((schema) => kinds(root, schema, values[i + 1])); });
  const all = role === 'key'
    ? schemas.flatMap(({properties = {}}) => Object.entries(properties).filter(([key]) => key === word || !keys.includes(key)).map(([key, schema]) =>
      ({text: JSON.stringify(key), label: key, note: resolved(root, schema).description ?? ''})))
    : schemas.flatMap(({enum: names = [], const: only, type, description = ''}) =>
      [...names, ...(only === undefined ? [] : [only]), ...(type === 'boolean' ? [true, false] : [])].map((value) =>
        ({text: JSON.stringify(value), label: String(value), note: description})));
  const wanted = word.toLowerCase();
  const near = ({label}) => label.toLowerCase().includes(wanted);
  const first = ({label}) => (label.toLowerCase().startsWith(wanted) ? 0 : 1);
  return unique(all).filter(near).sort((a, b) => first(a) - first(b));
}
