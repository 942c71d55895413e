import { IsDefined, ValidateIf } from 'class-validator';

/** The field may be left out; when it is sent, null too, the other decorators judge it. */
export const IfSent = () => ValidateIf((_, value) => value !== undefined);

/** The field must be sent, and not as null. Place it below the other decorators: the lowest is checked first. */
export const IsRequired = () => IsDefined({ message: 'required field missing' });
