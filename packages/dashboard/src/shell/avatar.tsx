import { colorOf, initialsOf } from '../components/initials.js';
import classes from './avatar.module.css';

interface AvatarProps {
  /** ID of the person or the account, which determines the color. */
  id: string;
  name: string;
  /** Accounts are square. */
  kind: 'person' | 'account';
}

/** The initials of a person or an account. Screen readers do not read them, so it needs the name beside it. */
export function Avatar({ id, name, kind }: AvatarProps) {
  return (
    <span
      className={classes.avatar}
      data-kind={kind}
      data-color={colorOf(id)}
      data-initials={initialsOf(name)}
      aria-hidden="true"
    />
  );
}
