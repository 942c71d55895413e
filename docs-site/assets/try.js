// Sends the form of "Try it" to the service that serves the page, and shows the response.

/** Kept until the tab is closed: the key, and the last ID of each kind that a response contained. */
const STORED = { key: 'docs-try-key', ids: 'docs-try-ids' };
const ID = /"id": ?"(([a-z]+)_[0-9a-hjkmnp-tv-z]{26})"/g;

function stored(name) {
  try {
    return sessionStorage.getItem(name) ?? '';
  } catch {
    return '';
  }
}

function store(name, value) {
  try {
    sessionStorage.setItem(name, value);
  } catch {
    // The value holds for this page.
  }
}

const idsByPrefix = () => JSON.parse(stored(STORED.ids) || '{}');

/** Stores the first ID of each kind, for the pages of other operations. */
function storeIds(text) {
  const found = [...text.matchAll(ID)].map(([, id, prefix]) => [prefix, id]).reverse();
  store(STORED.ids, JSON.stringify({ ...idsByPrefix(), ...Object.fromEntries(found) }));
}

export function setUpTry(form) {
  const { key } = form.elements;
  const [send, stop, status, output] = ['.send', '.stop', '[role=status]', 'pre'].map((selector) =>
    form.querySelector(selector),
  );
  if (key) {
    key.value = stored(STORED.key);
    key.addEventListener('input', () => store(STORED.key, key.value.trim()));
  }
  for (const input of form.querySelectorAll('[data-in=path]'))
    input.value = idsByPrefix()[input.placeholder.split('_')[0]] ?? '';
  let sending;
  stop.addEventListener('click', () => sending.abort());
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    sending = new AbortController();
    send.disabled = true;
    stop.hidden = false;
    status.textContent = 'Sending …';
    output.hidden = true;
    output.textContent = '';
    try {
      const [url, request] = requestOf(form);
      const response = await fetch(url, { ...request, signal: sending.signal });
      status.textContent = `${response.status} ${response.statusText}`;
      output.hidden = false;
      await show(response, output);
    } catch (error) {
      if (!sending.signal.aborted) status.textContent = `No response: ${error.message}`;
      else if (output.hidden) status.textContent = 'Stopped';
    }
    send.disabled = false;
    stop.hidden = true;
  });
}

/** Returns the address and the options of fetch. */
function requestOf(form) {
  const filled = (place) =>
    [...form.querySelectorAll(`[data-in=${place}]`)].filter(({ value }) => value !== '');
  const values = new Map(
    filled('path').map(({ name, value }) => [name, encodeURIComponent(value)]),
  );
  const url = new URL(
    form.dataset.path.replace(/\{(\w+)\}/g, (_, name) => values.get(name)),
    location.origin,
  );
  for (const { name, value, dataset } of filled('query')) {
    const [member, ...rest] = value.split('=');
    if (dataset.object === undefined) url.searchParams.append(name, value);
    else url.searchParams.append(`${name}[${member}]`, rest.join('='));
  }
  const headers = Object.fromEntries(filled('header').map(({ name, value }) => [name, value]));
  const key = form.elements.key?.value.trim();
  if (key) headers.Authorization = `Bearer ${key}`;
  return [url, { method: form.dataset.method, headers, ...bodyOf(form, headers) }];
}

/** Returns the body, and adds its type to the headers. A form names its own boundary. */
function bodyOf(form, headers) {
  const control = form.querySelector('[data-type]');
  const content = control?.files?.[0] ?? control?.value;
  if (!content) return {};
  const { type } = control.dataset;
  if (type === 'multipart/form-data') {
    const body = new FormData();
    body.append('file', content);
    return { body };
  }
  headers['Content-Type'] = type;
  return { body: content };
}

/** Shows text while it arrives, so that event streams are visible, and offers other files for download. */
async function show(response, output) {
  const type = response.headers.get('content-type') ?? '';
  if (type !== '' && !/json|text|yaml/.test(type)) {
    const link = document.createElement('a');
    link.href = URL.createObjectURL(await response.blob());
    link.download = '';
    link.textContent = `Save the file (${type})`;
    output.replaceChildren(link);
    return;
  }
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  for (let part = await reader?.read(); part && !part.done; part = await reader.read())
    output.append(part.value);
  if (/^application\/json/.test(type))
    output.textContent = JSON.stringify(JSON.parse(output.textContent), null, 2);
  storeIds(output.textContent);
}
