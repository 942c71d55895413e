import { Button, NativeSelect, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useEffect, useId, useRef, useState, type ReactNode } from 'react';
import { useSearchState } from '../search-state.js';
import classes from './filters.module.css';
import { Icon } from './icons.js';

interface FilterBarProps {
  /** What is filtered. */
  label: string;
  /** Number of filters that are set. */
  active: number;
  children: ReactNode;
}

/** The filters of a list. On a phone, one button shows and hides them. */
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

/** Rest after a keystroke before a list is asked, in ms. */
const TYPING_PAUSE = 300;

interface TextFilterProps {
  /** The field's label. */
  label: string;
  /** Its name in the address bar. */
  name: string;
  placeholder?: string;
  /** `true` draws a magnifying glass. */
  search?: boolean;
  /** The label is for readers only: the placeholder says the same. */
  hiddenLabel?: boolean;
  className?: string | undefined;
  /** Whether a text is whole: half of an address finds nothing but a refusal. */
  accepts?: (text: string) => boolean;
}

/** A filter by text, kept in the address bar. */
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
  // Back, or a link, has changed it.
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

interface SelectFilterProps {
  label: string;
  name: string;
  /** Values with what is shown for them. "Any" comes first by itself. */
  options: readonly (readonly [value: string, text: string])[];
  any?: string;
}

/** A filter by one of several values, kept in the address bar. */
export function SelectFilter({ label, name, options, any = 'Any' }: SelectFilterProps) {
  const [state, change] = useSearchState();
  const data = [
    { value: '', label: any },
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
