/** Characters of a section that the search indexes and shows. The first sentences say what it is about. */
const TEXT_LENGTH = 400;

/**
 * Gives the headings of a page the ids that GitHub gives them. Returns them as `{ level, id, text }`, and the sections for
 * the search as `[id, heading, text]`. `tokens` are Markdown tokens.
 */
export function outlineOf(tokens) {
  const used = new Map();
  const headings = [];
  const sections = [['', '', '']];
  for (const [index, token] of tokens.entries()) {
    if (token.type === 'heading_open') {
      const text = textOf(tokens[index + 1]);
      const id = uniqueId(slugOf(text) || 'section', used);
      token.attrSet('id', id);
      headings.push({ level: Number(token.tag[1]), id, text });
      if (/^h[23]$/.test(token.tag)) sections.push([id, text, '']);
      tokens[index + 2].meta = { id, text };
    } else if (token.type === 'inline' && tokens[index - 1]?.type !== 'heading_open') {
      const last = sections.at(-1);
      last[2] = `${last[2]} ${textOf(token)}`.trim();
    }
  }
  return { headings, sections: sections.map(([id, text, body]) => [id, text, shortened(body)]) };
}

/** GitHub's rule: lower case, no punctuation, hyphens for spaces. */
export function slugOf(text) {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-');
}

function uniqueId(slug, used) {
  const count = used.get(slug) ?? 0;
  used.set(slug, count + 1);
  return count === 0 ? slug : `${slug}-${count}`;
}

function textOf({ children }) {
  return children
    .map(({ type, content }) => {
      if (type === 'text' || type === 'code_inline') return content;
      return type === 'softbreak' ? ' ' : '';
    })
    .join('')
    .trim();
}

function shortened(text) {
  if (text.length <= TEXT_LENGTH) return text;
  return text.slice(0, text.lastIndexOf(' ', TEXT_LENGTH));
}
