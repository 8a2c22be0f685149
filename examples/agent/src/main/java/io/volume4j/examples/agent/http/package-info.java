/**
 * The cluster behind an API server that follows Kubernetes' conventions, with fabric8's client. Copy it, and change it
 * for another API.
 *
 * <p>Depends on the SPI, the manifest codec and Jackson, and not on the programs that use it.
 */
@NullMarked
package io.volume4j.examples.agent.http;

import org.jspecify.annotations.NullMarked;
