import { Button, TextInput } from '@mantine/core';
import { useState, type ReactNode, type SubmitEvent } from 'react';
import { useSearchState } from '../search-state.js';
import { ChoiceList } from './choice-list.js';
import { FilterPopover } from './filter-popover.js';
import classes from './filters.module.css';
import { withChosen, type FilterOptions } from './filters.js';
import { Icon } from './icons.js';
import { useRovingFocus } from './roving-focus.js';
import { rangeName, TimeRangeMenu, type TimeRangeNames } from './time-range.js';

/** A filter that people add from a menu. */
export interface ChipFilter {
  /** Name of the URL parameter. */
  name: string;
  label: string;
  /** Values to choose from. Without them, the value is typed. */
  options?: FilterOptions;
  placeholder?: string;
  /** Returns whether a typed value is complete. */
  accepts?: (text: string) => boolean;
}

/** Filters that one click sets. */
export interface FilterPreset {
  label: string;
  /** Undefined removes a filter. */
  filters: Readonly<Record<string, string | undefined>>;
}

interface FilterChipsProps {
  /** Accessible name: what is filtered. */
  label: string;
  filters: readonly ChipFilter[];
  /** URL parameters of the time range, if there is one. */
  time?: TimeRangeNames;
  presets?: readonly FilterPreset[];
  /** Further controls at the start, such as a field that looks up an ID. */
  children?: ReactNode;
}

/** The filters of a list as chips: presets, the active filters, and a menu that adds one. */
export function FilterChips({ label, filters, time, presets = [], children }: FilterChipsProps) {
  const [state, change] = useSearchState();
  const roving = useRovingFocus<HTMLDivElement>({ controls: 'button' });
  const active = filters.filter(({ name }) => state[name] !== undefined);
  const range = time && rangeName(state[time.after], state[time.before]);
  const names = [...filters.map(({ name }) => name), ...(time ? [time.after, time.before] : [])];
  return (
    <div className={classes.bar} role="search" aria-label={label}>
      {children}
      <div className={classes.chips} role="toolbar" aria-label="Filters" {...roving}>
        {presets.map((preset) => (
          <Preset key={preset.label} {...preset} />
        ))}
        {time && <TimeRangeMenu {...time} />}
        <AddFilter filters={filters} />
        {active.map(({ name, label: title, options = [] }) => (
          <FilterChip
            key={name}
            name={`${title}: ${valueName(options, state[name])}`}
            onRemove={() => {
              change({ [name]: undefined });
            }}
          />
        ))}
        {range !== undefined && time && (
          <FilterChip
            name={`Time: ${range}`}
            onRemove={() => {
              change({ [time.after]: undefined, [time.before]: undefined });
            }}
          />
        )}
        {active.length + (range === undefined ? 0 : 1) > 1 && (
          <Button
            size="compact-sm"
            variant="subtle"
            onClick={() => {
              change(Object.fromEntries(names.map((name) => [name, undefined])));
            }}
          >
            Clear filters
          </Button>
        )}
      </div>
    </div>
  );
}

function valueName(options: FilterOptions, value = ''): string {
  return options.find(([one]) => one === value)?.[1] ?? value;
}

interface FilterChipProps {
  name: string;
  disabled?: boolean;
  onRemove: () => void;
}

/** An active filter or a selected value. A click removes it. */
export function FilterChip({ name, disabled = false, onRemove }: FilterChipProps) {
  return (
    <button
      type="button"
      className={classes.chip}
      aria-label={`${name}, remove`}
      title={name}
      disabled={disabled}
      onClick={onRemove}
    >
      <span>{name}</span>
      <Icon name="close" size={14} />
    </button>
  );
}

function Preset({ label, filters }: FilterPreset) {
  const [state, change] = useSearchState();
  const isSet = Object.entries(filters).every(([name, value]) => state[name] === value);
  return (
    <button
      type="button"
      className={classes.preset}
      aria-pressed={isSet}
      onClick={() => {
        change(filters);
      }}
    >
      {label}
    </button>
  );
}

/** Shows the filters, and then the values of the chosen one. */
function AddFilter({ filters }: { filters: readonly ChipFilter[] }) {
  return (
    <FilterPopover name="Add filter" leftSection={<Icon name="filter" size={14} />}>
      {(close) => <FilterChoices filters={filters} onDone={close} />}
    </FilterPopover>
  );
}

interface FilterChoicesProps {
  filters: readonly ChipFilter[];
  onDone: () => void;
}

/** The filters, then the values of the chosen one. */
function FilterChoices({ filters, onDone }: FilterChoicesProps) {
  const [chosen, choose] = useState<string>();
  const filter = filters.length === 1 ? filters[0] : filters.find(({ name }) => name === chosen);
  if (filter) return <FilterValue filter={filter} onDone={onDone} />;
  return (
    <ChoiceList
      label="Filters"
      choices={filters.map(({ name, label }) => [name, label])}
      onChoose={choose}
    />
  );
}

function FilterValue({ filter, onDone }: { filter: ChipFilter; onDone: () => void }) {
  const { name, label, options } = filter;
  const [state, change] = useSearchState();
  const set = (value: string) => {
    change({ [name]: value });
    onDone();
  };
  if (!options) return <TypedValue filter={filter} onSet={set} />;
  return (
    <ChoiceList
      label={label}
      choices={withChosen(options, state[name])}
      chosen={state[name]}
      onChoose={set}
    />
  );
}

function TypedValue({ filter, onSet }: { filter: ChipFilter; onSet: (value: string) => void }) {
  const { name, label, placeholder = '', accepts } = filter;
  const [state] = useSearchState();
  const [typed, setTyped] = useState(state[name] ?? '');
  const [isWrong, setWrong] = useState(false);
  const value = typed.trim();
  const send = (event: SubmitEvent) => {
    event.preventDefault();
    // React events reach the form around the list, such as that of a dialog.
    event.stopPropagation();
    if (value !== '' && accepts?.(value) !== false) onSet(value);
    else setWrong(true);
  };
  return (
    <form className={classes.typed} onSubmit={send} noValidate>
      <TextInput
        label={label}
        placeholder={placeholder}
        value={typed}
        data-autofocus
        error={isWrong ? `Enter a complete value, such as ${placeholder}` : undefined}
        onChange={({ currentTarget }) => {
          setTyped(currentTarget.value);
          setWrong(false);
        }}
      />
      <Button type="submit" size="xs">
        Apply filter
      </Button>
    </form>
  );
}
