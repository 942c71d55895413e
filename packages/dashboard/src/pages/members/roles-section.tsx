import { useAccount } from '../../api/session.js';
import { Facts } from '../../components/facts.js';
import { Section } from '../../components/page.js';
import { ROLE_MEANINGS, ROLES } from '../people/roles.js';
import { capitalized } from '../../components/words.js';

/** Describes the roles and marks the person's own. */
export function RolesSection() {
  const { role: own } = useAccount();
  return (
    <Section title="Permissions by role">
      <Facts
        of={ROLES.map((role) => [
          role === own ? `${capitalized(role)} (you)` : capitalized(role),
          `${capitalized(ROLE_MEANINGS[role])}.`,
        ])}
      />
    </Section>
  );
}
