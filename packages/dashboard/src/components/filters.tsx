import { Button, NativeSelect, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useEffect, useId, useRef, useState, type ReactNode } from 'react';
import { useSearchState } from '../search-state.js';
import classes from './filters.module.css';
import { Icon } from './icons.js';

interface FilterBarProps {
  /** Accessible name. */
  label: string;
  /** Number of active filters. */
  active: number;
  children: ReactNode;
}

/** The filters of a list. On phones, a button shows and hides them. */
export function FilterBar({ label, active, children }: FilterBarProps) {
  const [isOpen, { toggle }] = useDisclosure(false);
  const id = useId();
  return (
    <div
      className={classes.bar}
      role="search"
      aria-label={label}
      data-open={isOpen ? true : undefined}
    >
      <Button
        className={classes.toggle ?? ''}
        variant="default"
        leftSection={<Icon name="filter" size={16} />}
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={toggle}
      >
        {active === 0 ? 'Filters' : `Filters (${String(active)})`}
      </Button>
      <div id={id} className={classes.fields}>
        {children}
      </div>
    </div>
  );
}

/** Pause after a keystroke before the list is loaded, in ms. */
const TYPING_PAUSE = 300;

interface TextFilterProps {
  /** Label of the field. */
  label: string;
  /** Name of the URL parameter. */
  name: string;
  placeholder?: string;
  /** True shows a magnifying glass. */
  search?: boolean;
  /** Hides the label visually, because the placeholder says the same. */
  hiddenLabel?: boolean;
  className?: string | undefined;
  /** Returns whether a text is complete. Half an address only causes an error. */
  accepts?: (text: string) => boolean;
}

/** A text filter that is stored in the URL. */
export function TextFilter(props: TextFilterProps) {
  const {
    label,
    name,
    placeholder,
    search = false,
    hiddenLabel = false,
    className,
    accepts,
  } = props;
  const [state, change] = useSearchState();
  const inAddress = state[name] ?? '';
  const [typed, setTyped] = useState(inAddress);
  const written = useRef(inAddress);
  // Back or a link has changed the URL.
  useEffect(() => {
    if (inAddress !== written.current) setTyped(inAddress);
    written.current = inAddress;
  }, [inAddress]);
  useEffect(() => {
    if (typed === written.current) return;
    if (typed !== '' && accepts?.(typed) === false) return;
    const timer = setTimeout(() => {
      written.current = typed;
      change({ [name]: typed === '' ? undefined : typed }, { replace: true });
    }, TYPING_PAUSE);
    return () => {
      clearTimeout(timer);
    };
  }, [typed, name, change, accepts]);
  return (
    <TextInput
      {...(hiddenLabel ? { 'aria-label': label } : { label })}
      {...(className !== undefined && { className })}
      type={search ? 'search' : 'text'}
      placeholder={placeholder ?? ''}
      value={typed}
      leftSection={search ? <Icon name="search" size={16} /> : undefined}
      onChange={({ currentTarget }) => {
        setTyped(currentTarget.value);
      }}
    />
  );
}

/** Values and their labels. */
export type FilterOptions = readonly (readonly [value: string, text: string])[];

/** Includes the value in the URL if it is none of the options. */
export function withChosen(options: FilterOptions, chosen: string | undefined): FilterOptions {
  if (chosen === undefined || options.some(([value]) => value === chosen)) return options;
  return [...options, [chosen, chosen]];
}

interface SelectFilterProps {
  label: string;
  name: string;
  /** "Any" is added before them. */
  options: FilterOptions;
}

/** A filter with several values that is stored in the URL. */
export function SelectFilter({ label, name, options }: SelectFilterProps) {
  const [state, change] = useSearchState();
  const data = [
    { value: '', label: 'Any' },
    ...options.map(([value, text]) => ({ value, label: text })),
  ];
  return (
    <NativeSelect
      label={label}
      data={data}
      value={state[name] ?? ''}
      onChange={({ currentTarget }) => {
        change({ [name]: currentTarget.value === '' ? undefined : currentTarget.value });
      }}
    />
  );
}
