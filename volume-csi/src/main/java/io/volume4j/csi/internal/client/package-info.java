/**
 * Calls a driver: one method for each RPC, each checked before it is sent and before its answer is believed, each failure
 * classified and free of secrets; capabilities remembered, lists read page by page.
 *
 * <p>May depend on everything else under {@code internal}. The plugin above it decides what to call and when.
 */
package io.volume4j.csi.internal.client;
