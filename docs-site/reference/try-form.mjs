// The form on the page of an operation, which docs-site/assets/try.js sends.
import { exampleOf } from './example.mjs';
import { jsonText } from './literals.mjs';
import { requestOf } from './samples.mjs';

const ESCAPES = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escaped = (text) => String(text).replace(/[&<>"]/g, (character) => ESCAPES[character]);

/** Returns HTML. Values come from the samples, so that most forms can be sent unchanged. */
export function tryForm(api, operation) {
  const { query = {}, body } = requestOf(api, operation);
  const fields = operation.parameters.map((parameter) => ({
    isRequired: parameter.required === true,
    html: parameterField(api, parameter, query),
  }));
  const required = fields.filter(({ isRequired }) => isRequired);
  const optional = fields.filter(({ isRequired }) => !isRequired);
  const folded = `<details><summary>Optional parameters</summary>${htmlOf(optional)}</details>\n`;
  return `<details class="try needs-script"><summary>Try it</summary>
<form data-method="${operation.method}" data-path="${escaped(operation.path)}" autocomplete="off">
${operation.scopes ? field('API key', '<input name="key" type="password" placeholder="ds_live_…" required>') : ''}
${htmlOf(required)}${optional.length > 0 ? folded : ''}${bodyField(operation, body)}
<p><button class="send">Send</button> <button class="stop" type="button" hidden>Stop</button> <span role="status"></span></p>
<pre aria-label="Response" tabindex="0" hidden></pre>
</form></details>
`;
}

const htmlOf = (fields) => fields.map(({ html }) => html).join('');

function field(name, control) {
  return `<label><span>${escaped(name)}</span>${control}</label>\n`;
}

function parameterField(api, { name, in: place, required, example, schema }, query) {
  const shown = example ?? exampleOf(api, schema) ?? '';
  const isObject = typeof shown === 'object' && !Array.isArray(shown);
  const text = isObject ? Object.entries(shown).map((pair) => pair.join('='))[0] : String(shown);
  // A query parameter that is required has the value of the samples. IDs in paths differ from account to account.
  const value = required && place === 'query' ? ` value="${escaped(query[name] ?? text)}"` : '';
  return field(
    name,
    `<input name="${escaped(name)}" data-in="${place}"${isObject ? ' data-object' : ''} placeholder="${escaped(text)}"${value}${required ? ' required' : ''}>`,
  );
}

function bodyField({ requestBody }, body) {
  if (!requestBody) return '';
  const [type] = Object.keys(requestBody.content);
  const name = `data-type="${type}"`;
  if (type !== 'application/json') return field('File', `<input type="file" ${name} required>`);
  const text = body === undefined ? '' : escaped(jsonText(body));
  return field('Body', `<textarea ${name} rows="8" spellcheck="false">${text}</textarea>`);
}
