/** Returns an element with these attributes and children. */
export function elementOf<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: Readonly<Record<string, string>> = {},
  ...contents: (Node | string)[]
): HTMLElementTagNameMap[Name] {
  const element = document.createElement(name);
  for (const [attribute, value] of Object.entries(attributes))
    element.setAttribute(attribute, value);
  element.append(...contents);
  return element;
}

const SVG = 'http://www.w3.org/2000/svg';

/** Returns a line icon. Its path is 24 units wide. */
export function iconOf(path: string): SVGSVGElement {
  const icon = document.createElementNS(SVG, 'svg');
  icon.setAttribute('viewBox', '0 0 24 24');
  icon.setAttribute('aria-hidden', 'true');
  const line = document.createElementNS(SVG, 'path');
  line.setAttribute('d', path);
  icon.append(line);
  return icon;
}

/** Returns a button with an icon, which has a name and a tooltip. */
export function iconButton(name: string, icon: string, title = name): HTMLButtonElement {
  return elementOf('button', { type: 'button', 'aria-label': name, title }, iconOf(icon));
}

export const ICONS = {
  bold: 'M7 5h6a3.5 3.5 0 0 1 0 7H7zM7 12h7a3.5 3.5 0 0 1 0 7H7z',
  italic: 'M10 5h8M6 19h8M14 5l-4 14',
  strike:
    'M5 12h14M16.5 7.5C16 6 14.3 5 12 5 9.5 5 7.5 6.3 7.5 8.5c0 1.5.8 2.5 2 3.5M7.5 16c.5 2 2.3 3 4.5 3 2.8 0 4.8-1.3 4.8-3.5 0-1.2-.5-2.2-1.5-3',
  code: 'M8 7l-5 5 5 5M16 7l5 5-5 5',
  link: 'M10 14a4 4 0 0 0 6 .4l3-3a4 4 0 0 0-5.7-5.7l-1.3 1.3M14 10a4 4 0 0 0-6-.4l-3 3a4 4 0 0 0 5.7 5.7l1.3-1.3',
  heading: 'M6 5v14M18 5v14M6 12h12',
  heading1: 'M4 6v12M12 6v12M4 12h8M17 10l2.5-1.5V18',
  heading2: 'M4 6v12M12 6v12M4 12h8M16 10.5c.3-2.6 4.5-2.6 4.5.2 0 2-2.5 3.8-4.5 7.3h4.7',
  heading3:
    'M4 6v12M12 6v12M4 12h8M16 9.3c1.4-1.5 4.4-.9 4.4 1.2 0 1.6-1.4 2.3-2.6 2.3 1.4 0 3 .8 3 2.6 0 2.6-3.6 3.3-5 1.4',
  bullets: 'M9 6h11M9 12h11M9 18h11M4.5 6h.01M4.5 12h.01M4.5 18h.01',
  numbers:
    'M10 6h10M10 12h10M10 18h10M4 4.5L5.5 4v5M4 15.5c.5-1 2.5-.8 2.5.5C6.5 17 4 18 4 19.5h2.5',
  checklist: 'M11 7h9M11 17h9M3.5 6.5l1.8 1.8L8.5 5M3.5 16.5l1.8 1.8 3.2-3.3',
  quote: 'M5 5v14M10 8h9M10 12h9M10 16h6',
  codeBlock:
    'M5 4h14a1 1 0 0 1 1 1v14a1 1 0 0 1-1 1H5a1 1 0 0 1-1-1V5a1 1 0 0 1 1-1zM10 9l-3 3 3 3M14 9l3 3-3 3',
  table:
    'M5 5h14a1 1 0 0 1 1 1v12a1 1 0 0 1-1 1H5a1 1 0 0 1-1-1V6a1 1 0 0 1 1-1zM4 10h16M4 14.5h16M12 10v9',
  divider: 'M4 12h16',
  image:
    'M5 5h14a1 1 0 0 1 1 1v12a1 1 0 0 1-1 1H5a1 1 0 0 1-1-1V6a1 1 0 0 1 1-1zM4 16l4.5-4.5 4 4 2.5-2.5 5 5M15.5 9h.01',
  plus: 'M12 6v12M6 12h12',
  more: 'M6 12h.01M12 12h.01M18 12h.01',
  previous: 'M6 15l6-6 6 6',
  next: 'M6 9l6 6 6-6',
  close: 'M6 6l12 12M18 6L6 18',
  rowAbove: 'M4 14h16v6H4zM12 10V4M9 7h6',
  rowBelow: 'M4 4h16v6H4zM12 14v6M9 17h6',
  columnLeft: 'M14 4h6v16h-6zM10 12H4M7 9v6',
  columnRight: 'M4 4h6v16H4zM14 12h6M17 9v6',
  alignLeft: 'M4 6h16M4 12h10M4 18h13',
  alignCenter: 'M4 6h16M7 12h10M5.5 18h13',
  alignRight: 'M4 6h16M10 12h10M7 18h13',
  remove: 'M5 7h14M10 7V5h4v2M7 7l1 12h8l1-12M10.5 11v5M13.5 11v5',
} as const;
