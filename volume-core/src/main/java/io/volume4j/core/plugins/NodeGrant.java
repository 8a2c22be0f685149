package io.volume4j.core.plugins;

import io.volume4j.spi.CallContext;
import io.volume4j.spi.plugin.Attacher;
import io.volume4j.spi.plugin.Detacher;

/**
 * Attaching for storage that a node reaches by itself: nothing is done, and yet it is a step, because the attachment is the
 * permission to reach it. That is what keeps a volume for one node from being mounted by two.
 */
final class NodeGrant implements Attacher, Detacher {
    @Override
    public AttachResult attach(AttachRequest request, CallContext context) {
        return AttachResult.at("");
    }

    /** The node let go of the device when it was unmounted, which comes before. */
    @Override
    public void detach(DetachRequest request, CallContext context) {}
}
