/**
 * Keeps secrets out of everything that is printed. Depends on the schema's options only; everything that turns a message
 * of CSI, or a driver's words, into text goes through here.
 */
package io.volume4j.csi.internal.redact;
