export {
  blockKindOf,
  headingLevelOf,
  setHeading,
  setParagraph,
  toggleQuote,
  type BlockKind,
  type HeadingLevel,
} from './commands/blocks.js';
export { insertCodeBlock, insertImage, insertRule, insertTable } from './commands/insert.js';
export { linkAround, removeLink, setLink, type LinkRange } from './commands/links.js';
export {
  toggleBulletList,
  toggleOrderedList,
  toggleTaskAt,
  toggleTaskList,
} from './commands/lists.js';
export {
  isMarkOn,
  toggleCode,
  toggleEmphasis,
  toggleStrike,
  toggleStrong,
} from './commands/marks.js';
export {
  addColumnAfter,
  addColumnBefore,
  addRowAfter,
  addRowBefore,
  deleteColumn,
  deleteRow,
  deleteTable,
  setAlignment,
} from './tables.js';
