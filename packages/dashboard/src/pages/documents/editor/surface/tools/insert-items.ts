import type { Command } from 'prosemirror-state';
import {
  insertCodeBlock,
  insertImage,
  insertRule,
  insertTable,
  setHeading,
  toggleBulletList,
  toggleOrderedList,
  toggleQuote,
  toggleTaskList,
} from '../commands.js';
import { ICONS } from './elements.js';

/** A kind of block that the insert menu offers. */
export interface InsertItem {
  name: string;
  /** Other words for it. */
  keywords: string;
  icon: string;
  /** Markdown that inserts it too. */
  hint?: string;
  command: Command;
  /** The image needs an address first. */
  asksForAddress?: boolean;
}

export const ITEMS: readonly InsertItem[] = [
  {
    name: 'Heading 1',
    keywords: 'h1 title',
    icon: ICONS.heading1,
    hint: '#',
    command: setHeading(1),
  },
  {
    name: 'Heading 2',
    keywords: 'h2 section subtitle',
    icon: ICONS.heading2,
    hint: '##',
    command: setHeading(2),
  },
  {
    name: 'Heading 3',
    keywords: 'h3 subsection',
    icon: ICONS.heading3,
    hint: '###',
    command: setHeading(3),
  },
  {
    name: 'Bulleted list',
    keywords: 'ul unordered points',
    icon: ICONS.bullets,
    hint: '-',
    command: toggleBulletList,
  },
  {
    name: 'Numbered list',
    keywords: 'ol ordered',
    icon: ICONS.numbers,
    hint: '1.',
    command: toggleOrderedList,
  },
  {
    name: 'Checklist',
    keywords: 'todo tasks checkbox check',
    icon: ICONS.checklist,
    hint: '[]',
    command: toggleTaskList,
  },
  {
    name: 'Quote',
    keywords: 'blockquote citation',
    icon: ICONS.quote,
    hint: '>',
    command: toggleQuote,
  },
  {
    name: 'Code',
    keywords: 'block pre snippet fence',
    icon: ICONS.codeBlock,
    hint: '```',
    command: insertCodeBlock,
  },
  {
    name: 'Table',
    keywords: 'grid rows columns cells',
    icon: ICONS.table,
    command: insertTable(3, 3),
  },
  {
    name: 'Divider',
    keywords: 'rule line hr separator',
    icon: ICONS.divider,
    hint: '---',
    command: insertRule,
  },
  {
    name: 'Image',
    keywords: 'picture photo img figure',
    icon: ICONS.image,
    command: insertImage({ src: '', alt: '' }),
    asksForAddress: true,
  },
];
