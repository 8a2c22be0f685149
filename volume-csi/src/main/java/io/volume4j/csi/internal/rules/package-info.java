/**
 * What the CSI specification demands of requests before they are sent and of answers before they are believed, and which
 * capability each call and field needs. Pure: from messages to complaints.
 *
 * <p>Depends on the schema and the list of RPCs only.
 */
package io.volume4j.csi.internal.rules;
