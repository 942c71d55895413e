import { Alert, Button, Checkbox, Group, Stack, Text } from '@mantine/core';
import { useAccount, useSession } from '../../api/session.js';
import classes from './keys.module.css';
import {
  isWithin,
  meaningOf,
  presetOf,
  SCOPE_GROUPS,
  SCOPE_PRESETS,
  type Scope,
  type ScopeLimit,
} from './scope-groups.js';

interface ScopesFieldProps {
  chosen: readonly Scope[];
  onChange: (scopes: Scope[]) => void;
  error: string | undefined;
  /** The only scopes that can be chosen. */
  limit?: ScopeLimit | undefined;
}

/** Checkboxes for scopes, each with what it allows, and presets. */
export function ScopesField({ chosen, onChange, error, limit }: ScopesFieldProps) {
  const { role } = useAccount();
  const granted = { scopes: useSession().roles[role], whyNot: '' };
  const roleMay = (scope: Scope) => isWithin(granted, scope);
  const may = (scope: Scope) => roleMay(scope) && isWithin(limit, scope);
  const whyNot = (missing: readonly Scope[]) =>
    limit && missing.every((scope) => roleMay(scope))
      ? limit.whyNot
      : `Your role (${role}) doesn't include ${missing.filter((scope) => !roleMay(scope)).join(', ')}.`;
  const preset = presetOf(chosen);
  const toggle = (scope: Scope, checked: boolean) => {
    onChange(checked ? [...chosen, scope] : chosen.filter((one) => one !== scope));
  };
  return (
    <fieldset className={classes.scopes}>
      <legend>Scopes</legend>
      <Group gap="xs" mb="sm">
        {SCOPE_PRESETS.map(([name, scopes]) => {
          const missing = scopes.filter((scope) => !may(scope));
          return (
            <Button
              key={name}
              size="xs"
              variant={name === preset ? 'filled' : 'default'}
              aria-pressed={name === preset}
              disabled={missing.length > 0}
              title={missing.length > 0 ? whyNot(missing) : ''}
              onClick={() => {
                onChange([...scopes]);
              }}
            >
              {name}
            </Button>
          );
        })}
      </Group>
      <Stack gap="md">
        {SCOPE_GROUPS.map(([title, scopes]) => (
          <Stack key={title} gap={8} role="group" aria-label={title}>
            <Text size="sm" fw={600}>
              {title}
            </Text>
            {scopes.map((scope) => (
              <Checkbox
                key={scope}
                size="xs"
                label={scope}
                description={meaningOf(scope)}
                checked={chosen.includes(scope)}
                disabled={!may(scope)}
                onChange={({ currentTarget }) => {
                  toggle(scope, currentTarget.checked);
                }}
              />
            ))}
          </Stack>
        ))}
      </Stack>
      {chosen.includes('*') && (
        <Alert color="orange" mt="sm" title="This key has full access">
          It can create keys, delete data permanently and use future API features. Choose only the
          scopes your app needs.
        </Alert>
      )}
      {error !== undefined && (
        <Text size="sm" c="red" mt="xs" role="alert">
          {error}
        </Text>
      )}
    </fieldset>
  );
}
