import { TextInput } from '@mantine/core';
import { useId, useState, type KeyboardEvent } from 'react';
import classes from './filters.module.css';
import type { FilterOptions } from './filters.js';
import { Icon } from './icons.js';

/** A longer list has a field that searches it. */
const SEARCHED_FROM = 9;

interface ChoiceListProps {
  label: string;
  choices: FilterOptions;
  chosen?: string | undefined;
  onChoose: (value: string) => void;
}

/** Values to choose from. Arrow keys move between them. */
export function ChoiceList({ label, choices, chosen, onChoose }: ChoiceListProps) {
  const id = useId();
  const [typed, setTyped] = useState('');
  const words = typed.trim().toLowerCase();
  const found = choices.filter(([, text]) => text.toLowerCase().includes(words));
  return (
    <div onKeyDown={moveFocus}>
      {choices.length >= SEARCHED_FROM && (
        <TextInput
          mb="xs"
          type="search"
          size="xs"
          aria-label={`Search ${label.toLowerCase()}`}
          placeholder="Search"
          value={typed}
          data-autofocus
          leftSection={<Icon name="search" size={14} />}
          onChange={({ currentTarget }) => {
            setTyped(currentTarget.value);
          }}
        />
      )}
      <div id={id} className={classes.choicesTitle}>
        {label}
      </div>
      <ul className={classes.choices} aria-labelledby={id}>
        {found.map(([value, text]) => (
          <li key={value}>
            <button
              type="button"
              aria-current={value === chosen ? true : undefined}
              onClick={() => {
                onChoose(value);
              }}
            >
              <span>{text}</span>
              {value === chosen && <Icon name="check" size={14} />}
            </button>
          </li>
        ))}
      </ul>
      {found.length === 0 && (
        <p className={classes.noChoice}>
          {words === '' ? 'No values yet' : `No matches for “${typed.trim()}”`}
        </p>
      )}
    </div>
  );
}

/** Up and Down move between the field and the buttons. */
function moveFocus(event: KeyboardEvent<HTMLElement>): void {
  const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
  if (step === 0) return;
  event.preventDefault();
  event.stopPropagation();
  const controls = [...event.currentTarget.querySelectorAll<HTMLElement>('input, button')];
  const index = controls.findIndex((control) => control === document.activeElement);
  controls[Math.max(0, Math.min(controls.length - 1, index + step))]?.focus();
}
