import { NativeSelect } from '@mantine/core';
import { useServiceAccounts } from '../../api/service-accounts.js';
import { useSession, useUser } from '../../api/session.js';
import type { ScopeLimit } from './scope-groups.js';

/** The value for the signed-in person. */
export const YOURSELF = '';

interface OwnerFieldProps {
  label: string;
  /** ID of a service account, or {@link YOURSELF}. */
  value: string;
  onChange: (owner: string) => void;
  /** True if the key can belong only to a service account. */
  onlyServices?: boolean;
  error: string | undefined;
}

/** Who a key belongs to. Not shown if only the person can own it. */
export function OwnerField({ label, value, onChange, onlyServices, error }: OwnerFieldProps) {
  const { name } = useUser();
  const services = useServiceAccounts() ?? [];
  if (services.length === 0) return null;
  return (
    <NativeSelect
      label={label}
      description={
        value === YOURSELF
          ? 'Your role limits the key, and it stops working if you leave.'
          : 'The role of the service account limits the key. It keeps working when people leave.'
      }
      data={[
        ...(onlyServices === true ? [] : [{ value: YOURSELF, label: `You (${name})` }]),
        ...services.map(({ id, name: service }) => ({
          value: id,
          label: `${service} (service account)`,
        })),
      ]}
      value={value}
      error={error}
      onChange={({ currentTarget }) => {
        onChange(currentTarget.value);
      }}
    />
  );
}

/** Returns a function that finds the scopes that keys of an owner can have. Undefined: all that the person has. */
export function useScopesOfOwner() {
  const services = useServiceAccounts() ?? [];
  const { roles } = useSession();
  return (owner: string): ScopeLimit | undefined => {
    const service = services.find(({ id }) => id === owner);
    if (!service) return undefined;
    const { name, role } = service;
    return {
      scopes: roles[role],
      whyNot: `${name} has the role ${role}, which doesn't include this.`,
    };
  };
}
