// Values as code in JSON, TypeScript and Python.

export const LINE_WIDTH = 84;

const JSON_STYLE = {
  key: (name) => JSON.stringify(name),
  text: JSON.stringify,
  indent: '  ',
};

export const TYPESCRIPT_STYLE = {
  key: (name) => (/^\w+$/.test(name) ? name : typescriptText(name)),
  text: typescriptText,
  indent: '  ',
  trailing: ',',
};

export const PYTHON_STYLE = {
  key: (name) => JSON.stringify(name),
  text: JSON.stringify,
  indent: '    ',
  trailing: ',',
  braces: ['{', '}'],
  words: { true: 'True', false: 'False', null: 'None' },
};

/** Returns a string with single quotes, or with the quotes that need no escapes. */
function typescriptText(text) {
  const escaped = JSON.stringify(text);
  return text.includes("'") ? escaped : `'${escaped.slice(1, -1).replaceAll(String.raw`\"`, '"')}'`;
}

/** Returns a value as code: on one line if it fits into `width`, else with a member on each line. */
export function literal(value, style, width) {
  if (typeof value === 'string') return style.text(value);
  if (typeof value !== 'object' || value === null) return style.words?.[value] ?? String(value);
  const line = inline(value, style);
  return line.length <= width ? line : multiline(value, style, width);
}

/** Returns a list or an object with a member on each line. */
function multiline(value, style, width) {
  const members = membersOf(value, style, width - style.indent.length);
  const lines = members.map((member) => indented(member, style.indent)).join(',\n');
  const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{', '}'];
  return `${open}\n${lines}${style.trailing ?? ''}\n${close}`;
}

function inline(value, style) {
  const members = membersOf(value, style, Number.POSITIVE_INFINITY).join(', ');
  if (Array.isArray(value)) return `[${members}]`;
  const [open, close] = style.braces ?? ['{ ', ' }'];
  return members === '' ? '{}' : `${open}${members}${close}`;
}

function membersOf(value, style, width) {
  if (Array.isArray(value)) return value.map((item) => literal(item, style, width));
  return Object.entries(value).map(([name, member]) => {
    const key = `${style.key(name)}: `;
    return key + literal(member, style, width - key.length);
  });
}

function indented(text, indent) {
  return text.replace(/^/gm, indent);
}

/** Returns `call(arguments)`: on one line if it fits, else with the last argument on several lines. */
export function callText(call, given, style) {
  const line = `${call}(${given.map((one) => literal(one, style, Number.POSITIVE_INFINITY)).join(', ')})`;
  if (line.length <= LINE_WIDTH) return line;
  const first = given.slice(0, -1).map((one) => `${literal(one, style, LINE_WIDTH)}, `);
  const last = given.at(-1);
  const text =
    typeof last === 'object'
      ? multiline(last, style, LINE_WIDTH)
      : literal(last, style, LINE_WIDTH);
  return `${call}(${first.join('')}${text})`;
}

/** Returns JSON with short lists and objects on one line. */
export function jsonText(value) {
  return literal(value, JSON_STYLE, LINE_WIDTH - 12);
}
