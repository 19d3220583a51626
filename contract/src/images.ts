import { t } from '@gatehouse/language/t';
import { z } from 'zod/mini';
import { endpoint, PREFIX } from './endpoint.ts';
import { id } from './ids.ts';
import { tenantPathParams } from './tenants.ts';
import { optionalText } from './text.ts';

/** The largest body of a call that carries an image, in bytes. */
export const IMAGE_BODY_BYTES = 8 * 1024 * 1024;

/**
 * The longest side of a photo in pixels: the client shrinks to it before it sends, the server keeps
 * no more.
 */
export const IMAGE_SIDE = 1600;

/** What the file picker of a form offers. */
export const IMAGE_ACCEPT = '.jpg,.gif,.png,image/*';

const notAnImage = { error: () => t('The image must be a data URL.') };

/** An image as a data URL. What it really is, is decided by its bytes only. */
export const imageData = z
  .string(notAnImage)
  .check(z.regex(/^data:[\w.+-]+\/[\w.+-]+;base64,/, notAnImage));

/** imageParams of the specification: the image and the name it had on the tenant's device. */
export const imageParams = z.object({ imageData, file: optionalText(() => t('File'), 255) });

const example = { id: '0d9c8b7a-6f5e-4d3c-8b2a-190807060504' };

/**
 * POST {prefix}/tenants/{tenantId}/images: keeps an image of the tenant. 413 too large, 415 no
 * image we take.
 */
export const uploadImage = endpoint({
  name: 'uploadImage',
  subject: 'Requests',
  summary: 'Keeps an image of a tenant record, re-encoded and without its metadata',
  method: 'POST',
  path: `${PREFIX}/tenants/:tenantId/images`,
  access: 'tenant',
  urgency: 'photo',
  params: tenantPathParams,
  body: imageParams,
  bodyBytes: IMAGE_BODY_BYTES,
  reply: z.object({ id }),
  example,
});

/**
 * GET {prefix}/tenants/{tenantId}/images/{imageId}: not in the spec, for its owner only. A data URL
 * inside JSON, so that no browser ever renders the file as a page.
 */
export const getImage = endpoint({
  name: 'getImage',
  subject: 'Requests',
  summary: 'An image of a tenant record, as a data URL',
  method: 'GET',
  path: `${PREFIX}/tenants/:tenantId/images/:imageId`,
  access: 'tenant',
  urgency: 'photo',
  params: z.extend(tenantPathParams, { imageId: id }),
  reply: z.object({ id, imageData: z.string() }),
  // Opened by itself it is saved and never shown.
  replyHeaders: { 'content-disposition': 'attachment; filename="image.json"' },
  example: { ...example, imageData: 'data:image/jpeg;base64,/9j/4AAQSkZJRg==' },
});
