import { IfSent, IsRequired } from '../../../../platform/http/envelope/field-decorators.js';
import { IsCode, IsEmailText, IsPassword } from './fields.js';

/** The body of `POST /dashboard/api/session`. */
export class SignInDto {
  @IsEmailText()
  @IsRequired()
  email: string;

  @IsPassword()
  @IsRequired()
  password: string;

  @IsCode()
  @IfSent()
  code?: string;
}
