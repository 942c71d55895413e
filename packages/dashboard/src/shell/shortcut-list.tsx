import { Kbd, Stack, Title } from '@mantine/core';
import { Fragment } from 'react';
import { Dialog, type CloseDialog } from '../components/dialog.js';
import classes from './shortcut-list.module.css';

const MOD = /Mac|iPhone|iPad/.test(navigator.userAgent) ? '⌘' : 'Ctrl';

type Shortcut = readonly [keys: readonly string[], meaning: string];

const SHORTCUTS: readonly (readonly [place: string, shortcuts: readonly Shortcut[]])[] = [
  [
    'On every page',
    [
      [[MOD, 'K'], 'Open the command palette'],
      [[MOD, 'Shift', 'K'], 'Open the command palette while writing'],
      [['?'], 'Show this list'],
      [['Esc'], 'Close a dialog or a panel'],
    ],
  ],
  [
    'Documents',
    [
      [['/'], 'Search'],
      [['C'], 'New document'],
      [['↑', '↓'], 'Move between rows'],
      [['Space'], 'Select the row'],
    ],
  ],
  [
    'Document',
    [
      [[MOD, 'S'], 'Save now'],
      [[MOD, 'Enter'], 'Move to the next status'],
    ],
  ],
  [
    'Text',
    [
      [[MOD, 'B'], 'Bold'],
      [[MOD, 'I'], 'Italic'],
      [[MOD, 'E'], 'Code'],
      [[MOD, 'Shift', 'X'], 'Strikethrough'],
      [[MOD, 'K'], 'Add or edit a link'],
      [['Alt', 'Enter'], 'Open the link at the caret'],
      [[MOD, 'Alt', '1–3'], 'Heading 1 to 3'],
      [[MOD, 'Alt', '0'], 'Paragraph'],
      [[MOD, 'Shift', '7'], 'Numbered list'],
      [[MOD, 'Shift', '8'], 'Bulleted list'],
      [[MOD, 'Shift', '9'], 'Task list'],
      [['Tab'], 'Indent a list item, or go to the next cell'],
      [['Shift', 'Tab'], 'Outdent a list item, or go to the previous cell'],
      [['Esc', 'Tab'], 'Leave the text'],
      [['/'], 'Insert menu, in an empty paragraph'],
      [['Alt', 'F10'], 'Go to the toolbar, table menu, code language or link'],
      [[MOD, 'F'], 'Find'],
      [[MOD, 'Alt', 'F'], 'Find and replace'],
      [['F3'], 'Next match'],
      [['F7'], 'Next suggestion or issue'],
      [[MOD, 'Shift', 'V'], 'Paste as plain text'],
      [[MOD, 'Shift', 'M'], 'Show or hide plain Markdown'],
    ],
  ],
  ['History', [[['D'], 'Compare the version with the current one']]],
  ['Template', [[[MOD, 'S'], 'Save']]],
  [
    'Delivery',
    [
      [['J'], 'Next delivery'],
      [['K'], 'Previous delivery'],
    ],
  ],
];

/** The keyboard shortcuts of all pages. */
export default function ShortcutList({ onClose }: { onClose: CloseDialog }) {
  return (
    <Dialog title="Keyboard shortcuts" onClose={onClose}>
      <Stack>
        {SHORTCUTS.map(([place, shortcuts]) => (
          <section key={place} aria-label={place}>
            <Title order={3} size="h6" mb={4}>
              {place}
            </Title>
            <dl className={classes.shortcuts}>
              {shortcuts.map(([keys, meaning]) => (
                <Fragment key={meaning}>
                  <dt>
                    {keys.map((key) => (
                      <Kbd key={key}>{key}</Kbd>
                    ))}
                  </dt>
                  <dd>{meaning}</dd>
                </Fragment>
              ))}
            </dl>
          </section>
        ))}
      </Stack>
    </Dialog>
  );
}
