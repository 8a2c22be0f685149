/**
 * Checks requests and answers against the CSI specification, and knows which capability each call and field needs.
 * Pure functions from messages to violations.
 *
 * <p>Depends on the schema and the list of RPCs only.
 */
package io.volume4j.csi.internal.rules;
