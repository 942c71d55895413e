import { Text, TextInput } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useId, useState, type KeyboardEvent } from 'react';
import { asFailure } from '../api/failure.js';
import { useAccount } from '../api/session.js';
import { Dialog, type CloseDialog } from '../components/dialog.js';
import { Icon } from '../components/icons.js';
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
    <Dialog title="Command palette" onClose={onClose} size="lg" isUnsaved={() => false}>
      <TextInput
        label="Search"
        description="Search pages, actions and documents, or paste an ID."
        role="combobox"
        aria-expanded={items.length > 0}
        aria-controls={listId}
        aria-autocomplete="list"
        aria-activedescendant={active ? optionId(active) : undefined}
        leftSection={<Icon name="search" size={16} />}
        value={text}
        data-autofocus
        autoComplete="off"
        spellCheck={false}
        onChange={({ currentTarget }) => {
          setText(currentTarget.value);
          setPosition(0);
        }}
        onKeyDown={onKeyDown}
      />
      <ul className={classes.list} id={listId} role="listbox" aria-label="Results">
        {items.map((item) => (
          // The field keeps the focus. Its keys move the selection and choose.
          <li
            key={item.id}
            id={optionId(item)}
            role="option"
            aria-selected={item === active}
            className={classes.option}
            onClick={() => {
              void go(item);
            }}
          >
            <span className={classes.name}>{item.name}</span>
            <span className={classes.kind}>
              {item.hint !== undefined && `${item.hint}, `}
              {item.kind}
            </span>
          </li>
        ))}
      </ul>
      <Text size="sm" c="dimmed" role="status" px="xs">
        {sentenceOf(items.length, isAsking, error)}
      </Text>
    </Dialog>
  );
}

function sentenceOf(count: number, isAsking: boolean, error: unknown): string {
  if (error !== null) return asFailure(error).message;
  if (count > 0) return '';
  return isAsking
    ? 'Searching…'
    : 'No results. Find analyses and suggestions on the document page.';
}
