import { ActionIcon, Button, NativeSelect, Text, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { LARGEST_PAGE } from '../../api/all-pages.js';
import { dataOf } from '../../api/client.js';
import type { Right } from '../../api/collections.js';
import { useAccount, useSession, useUser } from '../../api/session.js';
import { FailureAlert } from '../../components/failure-alert.js';
import { Icon } from '../../components/icons.js';
import { RIGHTS } from './folders.js';
import classes from './folders.module.css';
import { ableTo, MEANINGS, RIGHT_NAMES } from './rights.js';

/** A person and their right in a folder. */
export interface Entry {
  userId: string;
  name: string;
  right: Right;
}

interface AccessPeopleProps {
  people: readonly Entry[];
  everyone: Right | null;
  onPeople: (people: readonly Entry[]) => void;
  onEveryone: (right: Right | null) => void;
}

/** Edits who can open a folder with its own access, and the right of each person. */
export function AccessPeople({ people, everyone, onPeople, onEveryone }: AccessPeopleProps) {
  const { name: accountName } = useAccount();
  const { id: ownId } = useUser();
  const { roles } = useSession();
  const roleOf = useRoles();
  return (
    <section className={classes.people} aria-label="People">
      <AddPerson
        known={people}
        onAdd={(entry) => {
          onPeople([...people, entry]);
        }}
      />
      <ul className={classes.entries} aria-label="People with access">
        {people.map(({ userId, name, right }) => {
          const role = roleOf(userId);
          const able = ableTo(right, role, roles);
          return (
            <li key={userId}>
              <span className={classes.person}>
                <span dir="auto">{userId === ownId ? `${name} (you)` : name}</span>
                {role !== undefined && able !== RIGHT_NAMES[right] && (
                  <small>
                    {able === 'Can suggest'
                      ? `${able} changes: ${right === 'viewer' ? 'this right' : `the role ${role}`} doesn't allow more`
                      : `${able}: the role ${role} doesn't allow more`}
                  </small>
                )}
              </span>
              <RightSelect
                label={`Access of ${name}`}
                value={right}
                onChange={(changed) => {
                  if (changed === null) return;
                  onPeople(
                    people.map((one) => (one.userId === userId ? { ...one, right: changed } : one)),
                  );
                }}
              />
              <ActionIcon
                variant="subtle"
                color="gray"
                size="var(--app-control-small)"
                aria-label={`Remove ${name}`}
                onClick={() => {
                  onPeople(people.filter((one) => one.userId !== userId));
                }}
              >
                <Icon name="close" size={14} />
              </ActionIcon>
            </li>
          );
        })}
        <li>
          <span className={classes.person}>
            {people.length === 0 ? `Everyone in ${accountName}` : `Everyone else in ${accountName}`}
          </span>
          <RightSelect
            label="Access of everyone else"
            value={everyone}
            isOptional
            onChange={onEveryone}
          />
        </li>
      </ul>
      <Text size="sm" c="dimmed">
        Owners and admins can always open and manage every folder.
      </Text>
    </section>
  );
}

interface RightSelectProps {
  label: string;
  value: Right | null;
  isOptional?: boolean;
  onChange: (right: Right | null) => void;
}

const NONE = 'none';

function RightSelect({ label, value, isOptional = false, onChange }: RightSelectProps) {
  return (
    <NativeSelect
      aria-label={label}
      className={classes.right ?? ''}
      size="xs"
      value={value ?? NONE}
      title={value === null ? undefined : MEANINGS[value]}
      data={[
        ...(isOptional ? [{ value: NONE, label: 'No access' }] : []),
        ...RIGHTS.map((right) => ({ value: right, label: RIGHT_NAMES[right] })),
      ]}
      onChange={({ currentTarget }) => {
        onChange(currentTarget.value === NONE ? null : (currentTarget.value as Right));
      }}
    />
  );
}

/** Pause after the last keystroke before the search, in ms. */
const SEARCH_AFTER = 200;
/** Maximum number of people found. */
const SHOWN = 6;

/** Finds members and service accounts by name. */
function AddPerson({ known, onAdd }: { known: readonly Entry[]; onAdd: (entry: Entry) => void }) {
  const { id: accountId, api } = useAccount();
  const [typed, setTyped] = useState('');
  const [words] = useDebouncedValue(typed.trim(), SEARCH_AFTER);
  const search = useQuery({
    queryKey: [accountId, 'members', 'search', words],
    queryFn: ({ signal }) =>
      dataOf(api.GET('/v1/members', { params: { query: { q: words, limit: SHOWN * 2 } }, signal })),
    enabled: words !== '',
    placeholderData: keepPreviousData,
  });
  const isOpen = typed.trim() !== '';
  const found = (search.data ?? [])
    .filter(({ id }) => !known.some(({ userId }) => userId === id))
    .slice(0, SHOWN);
  const add = ({ id, name }: { id: string; name: string }) => {
    onAdd({ userId: id, name, right: 'viewer' });
    setTyped('');
  };
  return (
    <div>
      <TextInput
        label="Add people"
        type="search"
        placeholder="Name of a member or service account"
        value={typed}
        autoComplete="off"
        onChange={({ currentTarget }) => {
          setTyped(currentTarget.value);
        }}
        onKeyDown={(event) => {
          if (event.key !== 'Enter') return;
          // Enter would submit the form.
          event.preventDefault();
          const [first] = found;
          if (first && words === typed.trim() && !search.isPlaceholderData) add(first);
        }}
      />
      {isOpen && search.error && <FailureAlert error={search.error} />}
      {isOpen && search.data && (
        <ul className={classes.foundPeople} aria-label="Found people">
          {found.map(({ id, name, role }) => (
            <li key={id}>
              <Button
                size="compact-sm"
                variant="subtle"
                leftSection={<Icon name="add" size={14} />}
                onClick={() => {
                  add({ id, name });
                }}
              >
                {name}
              </Button>
              <small>{role}</small>
            </li>
          ))}
          {found.length === 0 && !search.isPlaceholderData && (
            <li>
              <small role="status">No one else matches “{words}”.</small>
            </li>
          )}
        </ul>
      )}
    </div>
  );
}

/** Returns a function that finds the role of a member or service account on the first page of the list. */
function useRoles() {
  const { id: accountId, api } = useAccount();
  const { data } = useQuery({
    queryKey: [accountId, 'members', 'roles'],
    queryFn: () => dataOf(api.GET('/v1/members', { params: { query: { limit: LARGEST_PAGE } } })),
    staleTime: 60_000,
  });
  return (userId: string) => data?.find(({ id }) => id === userId)?.role;
}
