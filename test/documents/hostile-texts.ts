const MIB = 1024 * 1024;

const range = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => String.fromCodePoint(from + index)).join('');

/** Texts that some component might change. Each must come back identical. */
export const HOSTILE_TEXTS: Readonly<Record<string, string>> = {
  'all control characters but U+0000': `a${range(0x01, 0x1f)}${range(0x7f, 0x9f)}z`,
  'byte order marks at both ends and within': '\ufeffa\ufeffb\ufeff',
  'nothing but a byte order mark and a letter': '\ufeffx',
  'line and paragraph separators': 'a\u2028b\u2029c\u0085d\u000be\u000cf',
  'emoji joined by zero width joiners, with skin tones and flags': '👩🏽‍❤️‍💋‍👨🏿 🏳️‍🌈 🇺🇳 👨‍👩‍👧‍👦',
  'overrides and isolates of direction': '\u202eabc\u202c \u2066שלום\u2069 \u061c مرحبا \u200f',
  'a long run of combining marks': `z${'\u0300\u0489\u20dd'.repeat(1_000)} q\u0323\u0307`,
  'composed and decomposed letters': 'é e\u0301 Å Å A\u030a ﬁ ﷺ',
  'invisible characters': 'a\u00ad\u200b\u200c\u200d\u2060\u180e\u3164\ufe0f\u{e0041}b',
  'noncharacters and private use': '\ufffe\uffff\ufdd0\u{1fffe}\u{10ffff}\ue000\ufffd',
  'characters beyond the first plane': '𝕳𝖊𝖑𝖑𝖔 𠮷 𐑍 🂡',
  'every kind of line end in every order': '\r\na\rb\nc\r\n\r\n\n\r\r\n\n\n',
  'trailing line feeds': 'a\n\n\n',
  'trailing spaces and tabs': '  a  \n\tb\t \n   ',
  'no line feed at the end': 'a\nb',
  'only white space around a letter': ' \t\n x \n\t ',
  'what looks like front matter':
    '---\ntitle: Other\ntype: report\nmetadata: {"a": 2}\n---\nText\n',
  'front matter that never ends': '---\ntitle: x\n',
  'front matter with Windows line ends': '---\r\ntitle: x\r\n---\r\n\r\nText',
  'only the rules of front matter': '---\n---\n',
  'a rule first': '---\n\nText\n\n...\n',
  'the ends of comments, sections and scripts':
    '--> ]]> </script> <!-- <![CDATA[ </textarea> */ //',
  markup: '<b onclick="x()">&amp;&lt;&#x3c;&nbsp;</b><script>alert(1)</script>&',
  'signs of YAML first': '- a\n? b\n: c\n& d\n* e\n! f\n| g\n> h\n% i\n@ j\n` k\n# l\n[ m\n{ n',
  'a word of YAML that is no text': 'null',
  'a tilde': '~',
  'a number that YAML would shorten': '0x1F',
  'a date of YAML': '2026-11-21',
  'the Norwegian problem': 'no',
  'quotes of every kind': `'"\`''""\`\`\`“”‘’«»`,
  backslashes: '\\ \\\\ \\n \\u0000 \\ud800 \\" \\{{v}} C:\\new\\table',
  formulas: '=1+1\n+1\n-1\n@SUM(A1)\n\t=1\n"=1",\'=1',
  JSON: '{"__proto__":{"a":1},"a":[1.0,1e2,null]}\n',
  SQL: `'; DROP TABLE documents; -- $1 $$ \\' E'\\000' %s ?`,
  'placeholders that are none here': '${x} {{ {{} }} {{first name}} {% x %} <%= y %> #{z}',
  'Markdown that editors tidy up': '#a\n*  b\n+ c\n1) d\n\n\n\n    code  \n\\\nhard  \nend\n___',
  'a document of one kind of bracket': '[](){}<>'.repeat(500),
  'a megabyte of one letter': 'x'.repeat(MIB),
  'a megabyte of line feeds': '\n'.repeat(MIB - 1) + 'x',
  'a megabyte of quotes': '"'.repeat(MIB),
  'a megabyte of emoji': '👍'.repeat(MIB / 4),
  'half a megabyte of control characters': '\u0001'.repeat(MIB / 2) + 'x',
};

/** Longer than a title or a metadata member may be. */
export const isLong = (text: string) => text.length > 400;
