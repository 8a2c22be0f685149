/**
 * Finds secret values in texts that other programs wrote, in any common encoding. Pure functions; depends on nothing. The
 * core takes secrets out of what plugins throw with it, {@code volume-csi} out of what drivers answer.
 */
package io.volume4j.core.redact;
