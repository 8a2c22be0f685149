/**
 * The RPCs of CSI and the meaning of their failures: the list of RPCs, and the table of errors with advice.
 *
 * <p>Pure data and lookups. Depends on the generated schema and on the progress of a call, and on no code that sends
 * calls.
 */
package io.volume4j.csi.internal.rpc;
