import { Kbd } from '@mantine/core';
import { useContext } from 'react';
import { AccountContext, type CurrentAccount, type Scope } from '../api/session.js';
import { Dialog, type CloseDialog } from '../components/dialog.js';
import { keyLabels } from '../components/key-names.js';
import { isInNavigation, type PagePath } from './navigation.js';
import classes from './shortcut-list.module.css';

/** `keys`: alternatives, or keys pressed one after the other, such as `Esc` and `Tab`. */
type Shortcut = readonly [keys: readonly string[], meaning: string];

interface Place {
  name: string;
  /** Page in the navigation that has the shortcuts. */
  page?: PagePath;
  /** Scope that the shortcuts require. */
  scope?: Scope;
  shortcuts: readonly Shortcut[];
}

const PLACES: readonly Place[] = [
  {
    name: 'On every page',
    shortcuts: [
      [['Ctrl+K'], 'Search or jump to'],
      [['?'], 'Show this list'],
      [['Esc'], 'Close a dialog or a panel'],
    ],
  },
  {
    name: 'Documents',
    page: '/{-$accountId}/documents',
    shortcuts: [
      [['/'], 'Search'],
      [['C'], 'New document'],
      [['↑', '↓'], 'Move between rows'],
      [['Space'], 'Select the row'],
    ],
  },
  {
    name: 'Document',
    page: '/{-$accountId}/documents',
    scope: 'documents:write',
    shortcuts: [
      [['Ctrl+S'], 'Save now'],
      [['Ctrl+Enter'], 'Move to the next status'],
      [['Ctrl+P', 'Ctrl+Shift+K'], 'Search or jump to, from the text'],
      [['Ctrl+F'], 'Find'],
      [['Ctrl+Alt+F'], 'Find and replace'],
      [['F3'], 'Next match'],
      [['F7'], 'Next suggestion or issue'],
      [['Alt+F10'], 'Go to the toolbar, table menu, code language or link'],
      [['Ctrl+Shift+M'], 'Show or hide plain Markdown'],
      [['Esc', 'Tab'], 'Leave the text'],
    ],
  },
  {
    name: 'Format text',
    page: '/{-$accountId}/documents',
    scope: 'documents:write',
    shortcuts: [
      [['Ctrl+B'], 'Bold'],
      [['Ctrl+I'], 'Italic'],
      [['Ctrl+E'], 'Code'],
      [['Ctrl+Shift+X'], 'Strikethrough'],
      [['Ctrl+K'], 'Add or edit a link'],
      [['Alt+Enter'], 'Open the link at the caret'],
      [['Ctrl+Alt+1–3'], 'Heading 1 to 3'],
      [['Ctrl+Alt+0'], 'Paragraph'],
      [['Ctrl+Shift+7'], 'Numbered list'],
      [['Ctrl+Shift+8'], 'Bulleted list'],
      [['Ctrl+Shift+9'], 'Checklist'],
    ],
  },
  {
    name: 'Write',
    page: '/{-$accountId}/documents',
    scope: 'documents:write',
    shortcuts: [
      [['/'], 'Insert menu, in an empty paragraph'],
      [['Enter'], 'New paragraph, list item or table row'],
      [['Shift+Enter'], 'Line break'],
      [['Tab'], 'Indent a list item, or go to the next cell'],
      [['Shift+Tab'], 'Outdent a list item, or go to the previous cell'],
      [['Alt+↑', 'Alt+↓'], 'Move the paragraph or list item'],
      [['Ctrl+Z'], 'Undo'],
      [['Ctrl+Shift+Z'], 'Redo'],
      [['Ctrl+Shift+V'], 'Paste as plain text'],
    ],
  },
  {
    name: 'History',
    page: '/{-$accountId}/documents',
    shortcuts: [
      [['↑', '↓'], 'Move between versions'],
      [['D'], 'Compare the version with the current one'],
    ],
  },
  {
    name: 'Template',
    page: '/{-$accountId}/templates',
    scope: 'templates:write',
    shortcuts: [[['Ctrl+S'], 'Save']],
  },
  {
    name: 'Delivery',
    page: '/{-$accountId}/webhooks',
    shortcuts: [
      [['J'], 'Next delivery'],
      [['K'], 'Previous delivery'],
    ],
  },
];

/** The keyboard shortcuts of the pages that the person may open. */
export default function ShortcutList({ onClose }: { onClose: CloseDialog }) {
  const account = useContext(AccountContext);
  return (
    <Dialog title="Keyboard shortcuts" onClose={onClose} size="xl">
      <div className={classes.places}>
        {PLACES.filter((place) => isFor(place, account)).map(({ name, shortcuts }) => (
          <section key={name} className={classes.place} aria-label={name}>
            <h3 className={classes.heading}>{name}</h3>
            <dl className={classes.shortcuts}>
              {shortcuts.map(([keys, meaning]) => (
                <div key={meaning} className={classes.shortcut}>
                  <dt>{meaning}</dt>
                  <dd>
                    {keys.map((shortcut) => (
                      <span key={shortcut} className={classes.keys}>
                        {keyLabels(shortcut).map((key) => (
                          <Kbd key={key}>{key}</Kbd>
                        ))}
                      </span>
                    ))}
                  </dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </Dialog>
  );
}

function isFor({ page, scope }: Place, account: CurrentAccount | undefined): boolean {
  if (page !== undefined && !(account && isInNavigation(account, page))) return false;
  return scope === undefined || account?.may(scope) === true;
}
