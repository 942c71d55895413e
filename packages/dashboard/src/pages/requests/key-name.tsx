import { useKeys } from '../../api/keys.js';
import { AppLink } from '../../components/app-link.js';

/** Shows the key of a request by name, or by ID if the person may not see keys. */
export function KeyName({ id }: { id: string | null }) {
  const keys = useKeys();
  if (id === null) return 'Dashboard';
  const name = keys.data?.find((key) => key.id === id)?.name;
  if (name === undefined) return id;
  return (
    <AppLink to="/{-$accountId}/keys" search={{ open: id } as never}>
      {name}
    </AppLink>
  );
}
