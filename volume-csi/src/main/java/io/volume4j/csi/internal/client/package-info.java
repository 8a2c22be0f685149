/**
 * Calls a driver, with one method for each RPC. It checks each request and each answer, classifies each failure and
 * removes secrets from it. It caches capabilities and reads lists page by page.
 *
 * <p>May depend on all other packages under {@code internal}. The plugin decides what to call and when.
 */
package io.volume4j.csi.internal.client;
