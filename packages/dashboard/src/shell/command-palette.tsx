import { CloseButton, Modal } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useId, useState, type KeyboardEvent } from 'react';
import { asFailure } from '../api/failure.js';
import { useAccount } from '../api/session.js';
import type { CloseDialog } from '../components/dialog.js';
import { Icon } from '../components/icons.js';
import { useReturnFocus } from '../components/return-focus.js';
import { NO_BANNER } from '../theme/no-banner.js';
import classes from './command-palette.module.css';
import type { PaletteItem } from './palette/palette-item.js';
import { usePaletteItems } from './palette/use-palette-items.js';

/** Opens pages, runs actions, finds documents, and opens whatever a pasted ID names. */
export default function CommandPalette({ onClose }: { onClose: CloseDialog }) {
  const account = useAccount();
  const navigate = useNavigate();
  const listId = useId();
  const [text, setText] = useState('');
  const [position, setPosition] = useState(0);
  const { items, isAsking, error } = usePaletteItems(text, account);
  const active = items[Math.min(position, items.length - 1)];
  const optionId = (item: PaletteItem) => `${listId}-${item.id}`;
  useReturnFocus();

  const go = async ({ href }: PaletteItem) => {
    await onClose();
    await navigate({ href: href.startsWith('/') ? href : `/${account.id}/${href}` });
  };
  const moveTo = (next: number) => {
    const wrapped = (next + items.length) % Math.max(1, items.length);
    setPosition(wrapped);
    const item = items[wrapped];
    if (item) document.getElementById(optionId(item))?.scrollIntoView({ block: 'nearest' });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const moves: Partial<Record<string, () => void>> = {
      ArrowDown: () => {
        moveTo(position + 1);
      },
      ArrowUp: () => {
        moveTo(position - 1);
      },
      Enter: () => {
        if (active) void go(active);
      },
    };
    const move = moves[event.key];
    if (!move) return;
    event.preventDefault();
    move();
  };

  return (
    <Modal
      opened
      onClose={() => void onClose()}
      title="Command palette"
      size="lg"
      yOffset="12vh"
      padding={0}
      withCloseButton={false}
      // Locking the scroll would add a style element, which the policy forbids.
      lockScroll={false}
      attributes={NO_BANNER}
      classNames={{ header: 'visually-hidden', body: classes.body ?? '' }}
    >
      <div className={classes.head}>
        <label className={classes.search}>
          <Icon name="search" size={18} />
          <input
            className={classes.field}
            role="combobox"
            aria-label="Search or jump to…"
            aria-expanded={items.length > 0}
            aria-controls={listId}
            aria-autocomplete="list"
            aria-activedescendant={active ? optionId(active) : undefined}
            placeholder="Search or jump to…"
            value={text}
            data-autofocus
            data-variant="unstyled"
            autoComplete="off"
            spellCheck={false}
            onChange={({ currentTarget }) => {
              setText(currentTarget.value);
              setPosition(0);
            }}
            onKeyDown={onKeyDown}
          />
        </label>
        <CloseButton
          className={classes.close ?? ''}
          aria-label="Close"
          onClick={() => void onClose()}
        />
      </div>
      <div className={classes.list} id={listId} role="listbox" aria-label="Results">
        {groupsOf(items).map(([name, members]) => (
          <div key={name} role="group" aria-label={name} className={classes.group}>
            <div className={classes.heading} aria-hidden="true">
              {name}
            </div>
            {members.map((item) => (
              // The field keeps the focus. Its keys move the selection and choose.
              <div
                key={item.id}
                id={optionId(item)}
                role="option"
                aria-selected={item === active}
                className={classes.option}
                onClick={() => {
                  void go(item);
                }}
              >
                <Icon name={item.icon} />
                <span className={classes.name}>{item.name}</span>
                {item.hint !== undefined && <span className={classes.hint}>{item.hint}</span>}
              </div>
            ))}
          </div>
        ))}
      </div>
      <p className={classes.status} role="status">
        {sentenceOf(items.length, isAsking, error)}
      </p>
    </Modal>
  );
}

/** Returns the items by group, in their order. */
function groupsOf(items: readonly PaletteItem[]): [name: string, members: PaletteItem[]][] {
  const groups = new Map<string, PaletteItem[]>();
  for (const item of items) groups.set(item.group, [...(groups.get(item.group) ?? []), item]);
  return [...groups];
}

function sentenceOf(count: number, isAsking: boolean, error: unknown): string {
  if (error !== null) return asFailure(error).message;
  if (count > 0) return '';
  return isAsking
    ? 'Searching…'
    : 'No results. Find analyses and suggestions on the document page.';
}
