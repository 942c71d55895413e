import type { Plugin } from 'prosemirror-state';
import { codeLanguage } from './code-language.js';
import { findAndReplace } from './find.js';
import { insertButton } from './insert-button.js';
import { insertMenu } from './insert-menu.js';
import { linkDialog } from './link-dialog.js';
import { linkTooltip } from './link-tooltip.js';
import { tableMenu } from './table-menu.js';
import { toolbar } from './toolbar.js';
import './tools.css';

/** Tools of the writing surface. They come before its keys, because an open menu takes Enter and the arrows. */
export function surfaceTools(): Plugin[] {
  return [
    insertMenu(),
    findAndReplace(),
    linkDialog(),
    // Alt+F10 moves to the first of these that is visible.
    toolbar(),
    tableMenu(),
    codeLanguage(),
    linkTooltip(),
    insertButton(),
  ];
}
