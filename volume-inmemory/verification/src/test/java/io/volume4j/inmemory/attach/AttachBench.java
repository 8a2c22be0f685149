package io.volume4j.inmemory.attach;

import static org.assertj.core.api.Assertions.assertThat;

import io.volume4j.spi.model.AccessMode;

/**
 * The controller with nodes that are played by the test: it reports what they use, as a node's agent would that knows no
 * generations.
 */
abstract class AttachBench {
    static final AccessMode RWO = AccessMode.READ_WRITE_ONCE;
    static final AccessMode RWX = AccessMode.READ_WRITE_MANY;

    AttachHarness cluster = new AttachHarness(1);

    void attachedOn(String node) {
        cluster.foreignNode(node).volume("v", RWO).controller();
        cluster.pod("a", node, "v").settle();
        assertThat(cluster.attached("v")).containsExactly(node);
    }

    void inUseOn(String node) {
        attachedOn(node);
        cluster.inUse(node, "mem^h-v");
        cluster.run();
    }

    void assertGone() {
        assertThat(cluster.attached("v")).isEmpty();
        assertThat(cluster.records()).isEmpty();
        assertThat(cluster.attachedTo("n1")).isEmpty();
        assertThat(cluster.storage.violations()).isEmpty();
    }
}
