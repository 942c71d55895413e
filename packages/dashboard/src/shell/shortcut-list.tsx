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
