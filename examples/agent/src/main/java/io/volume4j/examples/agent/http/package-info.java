/**
 * The cluster behind an API server that follows Kubernetes' conventions, through fabric8's client: what to copy, and to
 * change where another API differs.
 *
 * <p>Depends on the SPI, the manifest codec and Jackson. Knows nothing of the programs around it.
 */
@NullMarked
package io.volume4j.examples.agent.http;

import org.jspecify.annotations.NullMarked;
