// Keys of the whole page, which leave to the form elements what is theirs.

const kActions = {Space: 'toggle', ArrowRight: 'forward', ArrowLeft: 'back', Home: 'start', End: 'end', Escape: 'dismiss'};

/// Action of a key, or null: `element` is the focused element ({tagName, type}).
export function actionOf({code, ctrlKey, altKey, metaKey, repeat}, element) {
  const action = kActions[code];
  if (!action || ctrlKey || altKey || metaKey || (repeat && action === 'toggle')) return null;
  if (action === 'dismiss') return action;
  const tag = element?.tagName;
  if (tag === 'SELECT' || tag === 'TEXTAREA') return null;
  // The space bar presses buttons and boxes; arrows, Home and End move sliders.
  if (tag === 'BUTTON' || tag === 'SUMMARY' || tag === 'A') return action === 'toggle' ? null : action;
  if (tag === 'INPUT') return (action === 'toggle') === (element.type === 'range') ? action : null;
  return action;
}
