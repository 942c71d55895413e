import { NativeSelect } from '@mantine/core';
import type { Role } from '../../api/people.js';
import { useAccount } from '../../api/session.js';
import { capitalized } from '../../components/words.js';
import { manageableRoles, ROLE_MEANINGS } from '../people/roles.js';

interface RoleFieldProps {
  value: Role;
  onChange: (role: Role) => void;
}

/** A choice of the roles that the person may assign. */
export function RoleField({ value, onChange }: RoleFieldProps) {
  const { role } = useAccount();
  return (
    <NativeSelect
      label="Role"
      description={`Can ${ROLE_MEANINGS[value]}.`}
      data={manageableRoles(role).map((one) => ({ value: one, label: capitalized(one) }))}
      value={value}
      onChange={({ currentTarget }) => {
        onChange(currentTarget.value as Role);
      }}
    />
  );
}
