/**
 * What the calls of CSI are and what their failures mean: the list of RPCs, the table of errors, and the advice in it.
 *
 * <p>Pure data and look-ups. May depend on the generated schema and on how far a call can get; on nothing that sends one.
 */
package io.volume4j.csi.internal.rpc;
