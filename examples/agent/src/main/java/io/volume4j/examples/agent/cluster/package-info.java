/** What the roles need of a cluster, whether its objects are behind an API server or in etcd. Depends on the SPI only. */
@NullMarked
package io.volume4j.examples.agent.cluster;

import org.jspecify.annotations.NullMarked;
