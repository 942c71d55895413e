// Shows the API document with Swagger UI and adds what that lacks: a searchable list of all operations, a key that the
// tab stores, and forms that can be sent unchanged. Runs in browsers without a build.
const KEY = 'document-service.api-key';
const METHODS = ['get', 'post', 'put', 'patch', 'delete'];
/** Lists with the values of a path parameter, if it is not the list at the path before it. */
const LISTED_AT = { externalId: '/v1/documents' };
/** Which resource to try an operation with, if not the newest. */
const CHOICES = {
  restoreDocument: { query: 'deleted=true' },
  readJobResult: { suits: ({ result }) => Boolean(result?.fileName) },
  applySuggestions: { suits: ({ status }) => status === 'proposed' },
  rejectSuggestions: { suits: ({ status }) => status === 'proposed' },
};
const STREAM_SHOWN_MS = 5_000;
const byId = (id) => document.getElementById(id);

followColorScheme();
keepKey();
keepMenu();
void show();

async function show() {
  const answer = await fetch('/v1/openapi.json');
  const description = await answer.json();
  const operations = operationsOf(description);
  listOperations(description.tags, operations);
  const ui = window.SwaggerUIBundle({
    spec: withoutFilledIn(description),
    domNode: byId('reference'),
    deepLinking: true,
    docExpansion: 'list',
    defaultModelsExpandDepth: 0,
    displayRequestDuration: true,
    // Without this, Swagger UI sends the document to a validator on the internet.
    validatorUrl: null,
    requestInterceptor: (request) => ({ ...withKey(request), userFetch: fetchFirstSeconds }),
    plugins: [OWN_PARTS],
    onComplete: () => markCurrent(operations),
  });
  nameControls(byId('reference'));
  window.addEventListener('hashchange', () => {
    ui.layoutActions.parseDeepLinkHash(decodeURIComponent(location.hash));
    markCurrent(operations);
  });
  fillPathsAtTryOut(ui, operations);
}

/** Returns the operations and events of the document, in the order of the page. */
function operationsOf({ paths, webhooks }) {
  const described = (items, tagOf) =>
    Object.entries(items ?? {}).flatMap(([path, item]) =>
      METHODS.filter((method) => item[method]).map((method) => {
        const { operationId, summary = '', description = '', tags, parameters = [] } = item[method];
        const tag = tagOf ?? tags[0];
        const id = operationId ?? `${method}_${path}`.replace(/[^\w-]/g, '_');
        const words = `${method} ${path} ${summary} ${id} ${tag} ${description}`.toLowerCase();
        return {
          method,
          path,
          summary,
          tag,
          words,
          operationId,
          // By its own name, or by that of the component that it refers to.
          isPaged: parameters.some(({ name, $ref }) => /(^|\/)limit$/i.test(name ?? $ref)),
          hash: `#/${tag}/${id}`,
          element: `operations-${tag}-${id}`,
        };
      }),
    );
  return [
    ...described(paths),
    ...described(webhooks, 'webhooks').map((event) => ({ ...event, event: true })),
  ];
}

/** Fills the sidebar, and filters it by a search. */
function listOperations(tags, operations) {
  const groups = tags.map(({ name }) => [
    name,
    operations.filter(({ tag, event }) => tag === name && !event),
  ]);
  groups.push(['events that are sent', operations.filter(({ event }) => event)]);
  const list = byId('list');
  for (const [name, members] of groups.filter(([, found]) => found.length > 0)) {
    const group = list.appendChild(document.createElement('section'));
    group.appendChild(document.createElement('h2')).textContent = name;
    const items = group.appendChild(document.createElement('ul'));
    for (const operation of members) items.append(linkTo(operation));
  }
  const search = byId('search');
  const narrow = () => {
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    for (const { item, words: text } of operations)
      item.hidden = !words.every((word) => text.includes(word));
    for (const group of list.children) group.hidden = !group.querySelector('li:not([hidden])');
    const found = operations.filter(({ item }) => !item.hidden);
    byId('found').textContent = words.length === 0 ? '' : `${found.length} found`;
    return found;
  };
  search.addEventListener('input', narrow);
  search.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter') return;
    const [first] = narrow();
    if (first) first.item.querySelector('a').click();
  });
}

function linkTo(operation) {
  const item = document.createElement('li');
  const link = item.appendChild(document.createElement('a'));
  link.href = operation.hash;
  const method = link.appendChild(document.createElement('span'));
  method.className = `method ${operation.method}`;
  method.textContent = operation.event ? 'event' : operation.method.toUpperCase();
  link.append(operation.event ? operation.path : operation.summary || operation.path);
  link.title = operation.path;
  operation.item = item;
  return item;
}

function markCurrent(operations) {
  const hash = decodeURIComponent(location.hash);
  for (const operation of operations) {
    const link = operation.item.querySelector('a');
    if (operation.hash === hash) link.setAttribute('aria-current', 'true');
    else link.removeAttribute('aria-current');
  }
}

/**
 * The sidebar is always open on wide screens. On narrow ones it closes when an operation is chosen. "/" moves to the
 * search.
 */
function keepMenu() {
  const menu = byId('menu');
  const wide = window.matchMedia('(min-width: 900px)');
  const adapt = () => (menu.open = wide.matches);
  wide.addEventListener('change', adapt);
  adapt();
  menu.addEventListener('click', ({ target }) => {
    if (target.closest('a') && !wide.matches) menu.open = false;
  });
  document.addEventListener('keydown', (event) => {
    if (event.key !== '/' || event.target.closest('input, textarea, select')) return;
    event.preventDefault();
    menu.open = true;
    byId('search').focus();
  });
}

/**
 * Stores the key in the session storage of the tab: it survives a reload, but not the tab, and other tabs do not have
 * it.
 */
function keepKey() {
  const field = byId('key');
  const tell = () =>
    (byId('key-state').textContent = field.value ? 'Kept until this tab is closed' : '');
  field.value = sessionStorage.getItem(KEY) ?? '';
  tell();
  field.addEventListener('input', () => {
    sessionStorage.setItem(KEY, field.value.trim());
    tell();
  });
  byId('key-form').addEventListener('submit', (event) => event.preventDefault());
}

function withKey(request) {
  const key = sessionStorage.getItem(KEY);
  if (key) request.headers = { ...request.headers, Authorization: `Bearer ${key}` };
  return request;
}

/**
 * Swagger UI fills each field of a form with its example or default, but no request takes all of them. So this page
 * describes the values of optional fields in words, and looks up path parameters on "Try it out".
 */
function withoutFilledIn(description) {
  const resolve = (item) => {
    if (!item?.$ref) return item;
    const names = item.$ref.slice(2).split('/');
    return names.reduce(
      (at, name) => at[name.replaceAll('~1', '/').replaceAll('~0', '~')],
      description,
    );
  };
  const paths = Object.entries(description.paths).map(([path, item]) => {
    const shared = Object.fromEntries(
      Object.entries(item).map(([name, part]) => {
        if (name === 'parameters')
          return [name, part.map((one) => unfilled(resolve(one), resolve))];
        if (!METHODS.includes(name)) return [name, part];
        // A PUT creates the resource that its ID names, so the example is as good as any.
        const parameters = part.parameters
          ?.map(resolve)
          .map((one) => (name === 'put' && one.name in LISTED_AT ? one : unfilled(one, resolve)));
        return [name, { ...part, ...(parameters && { parameters }) }];
      }),
    );
    return [path, shared];
  });
  return { ...description, paths: Object.fromEntries(paths) };
}

function unfilled(parameter, resolve) {
  if (parameter.required && parameter.in !== 'path') return parameter;
  const { example, examples, description, schema: whole, ...rest } = parameter;
  const {
    example: ofSchema,
    examples: ofSchemas,
    default: preset,
    ...schema
  } = resolve(whole) ?? {};
  const [named] = Object.values(examples ?? {});
  const shown = example ?? resolve(named)?.value ?? ofSchema ?? ofSchemas?.[0];
  const note = (label, value) => value !== undefined && `${label}: \`${textOf(value)}\``;
  const notes = [description, note('Example', shown), note('Default', preset)].filter(Boolean);
  // Swagger UI fills an object without examples with made-up keys.
  return {
    ...rest,
    schema,
    description: notes.join('\n\n'),
    ...(schema.type === 'object' && { examples: {} }),
  };
}

function textOf(value) {
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/**
 * "Try it out" at /v1/documents/{id} uses the newest document of the account, which is the first one in the list at
 * /v1/documents. Values that the person types in the meantime stay.
 */
function fillPathsAtTryOut(ui, operations) {
  const onClick = ({ target }) => {
    if (!target.closest('.try-out__btn:not(.cancel)')) return;
    const element = target.closest('.opblock')?.id;
    const operation = operations.find((one) => one.element === element);
    if (operation?.path.includes('{')) void fillPath(ui, operations, operation);
  };
  // Runs before Swagger UI replaces the button.
  document.addEventListener('click', onClick, { capture: true });
}

async function fillPath(ui, operations, { path, method, operationId }) {
  const valueOf = (name) =>
    ui.specSelectors.parameterWithMeta([path, method], name, 'path')?.get('value') ?? undefined;
  const parts = path.split('/').slice(1);
  const names = parts.map((part) => /^\{(.+)\}$/.exec(part)?.[1]);
  const last = names.findLastIndex(Boolean);
  let url = '';
  for (const [at, part] of parts.entries()) {
    const name = names[at];
    if (name && valueOf(name) === undefined) {
      const list = `/${parts.slice(0, at).join('/')}`;
      const isPaged = operations.some((one) => one.path === list && one.isPaged);
      const choice = at === last ? CHOICES[operationId] : undefined;
      const found = await newestAt(url, name, isPaged, choice);
      if (found === undefined) return;
      if (valueOf(name) === undefined)
        ui.specActions.changeParam([path, method], name, 'path', found);
    }
    url += `/${name ? encodeURIComponent(valueOf(name)) : part}`;
  }
}

async function newestAt(collection, name, isPaged, { query = '', suits = () => true } = {}) {
  const { headers } = withKey({});
  if (!headers) return undefined;
  const elsewhere = LISTED_AT[name];
  const answer = await fetch(
    `${elsewhere ?? collection}?${isPaged || elsewhere ? 'limit=100&' : ''}${query}`,
    { headers },
  );
  const { data = [] } = answer.ok ? await answer.json() : {};
  const values = data.filter(suits).map((one) => one[name] ?? (elsewhere ? null : one.id));
  const value = values.find((one) => one !== undefined && one !== null);
  return value === undefined ? undefined : String(value);
}

/** Swagger UI shows a response when it ends, but a stream of events never ends. So this returns the first seconds. */
async function fetchFirstSeconds(url, request) {
  const ending = new AbortController();
  const answer = await fetch(url, { ...request, signal: ending.signal });
  if (!answer.headers.get('content-type')?.startsWith('text/event-stream')) return answer;
  const timer = setTimeout(() => ending.abort(), STREAM_SHOWN_MS);
  const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  try {
    for (let part = await reader.read(); !part.done; part = await reader.read()) text += part.value;
  } catch {
    text += `: this page shows the first ${STREAM_SHOWN_MS / 1_000} seconds\n`;
  }
  clearTimeout(timer);
  const { status, statusText, headers } = answer;
  return new Response(text, { status, statusText, headers });
}

/** Fixes Swagger UI: adds names of controls and Tab stops on scrolling boxes, and corrects heading levels. */
function nameControls(root) {
  const name = () => {
    for (const control of root.querySelectorAll('select, textarea, input')) {
      if (control.ariaLabel || control.labels?.length) continue;
      const parameter = control.closest('tr[data-param-name]')?.dataset.paramName;
      const isBody = control.matches('textarea') && !parameter;
      control.ariaLabel = parameter ?? (isBody ? 'Request body' : control.title || 'Choice');
    }
    for (const box of root.querySelectorAll('pre:not([tabindex])')) box.tabIndex = 0;
    for (const table of root.querySelectorAll('table[role]')) table.removeAttribute('role');
    // Swagger UI starts its tags at h3, directly below the page's h1.
    for (const heading of root.querySelectorAll('h3, h4, h5'))
      if (!heading.closest('.introduction')) heading.ariaLevel = String(heading.tagName[1] - 1);
  };
  new MutationObserver(name).observe(root, { childList: true, subtree: true });
  name();
}

function followColorScheme() {
  const dark = window.matchMedia('(prefers-color-scheme: dark)');
  const follow = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
  dark.addEventListener('change', follow);
  follow();
}

function OWN_PARTS({ React }) {
  const nothing = () => null;
  return {
    components: {
      // There is one server, and the key is entered at the top.
      ServersContainer: nothing,
      AuthorizeBtnContainer: nothing,
      authorizeOperationBtn: nothing,
      ParameterIncludeEmpty: nothing,
      // Swagger UI makes it a link inside a button. The sidebar has the links.
      DeepLink: ({ text }) => React.createElement('span', null, text),
    },
    wrapComponents: {
      // A long text that people read once.
      InfoContainer: (Info) => (props) =>
        React.createElement(
          'details',
          { className: 'introduction' },
          React.createElement('summary', null, 'Introduction'),
          React.createElement(Info, props),
        ),
    },
  };
}
