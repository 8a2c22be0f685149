package io.volume4j.core.plugins.san;

import io.volume4j.spi.CallContext;
import io.volume4j.spi.plugin.Attacher;
import io.volume4j.spi.plugin.Detacher;

/**
 * Attaches storage that a node reaches by itself. The call does nothing, but the attachment is a step that permits the
 * node to use the volume. So two nodes never mount a volume that is for one node.
 */
public final class NoOpAttacher implements Attacher, Detacher {
    @Override
    public AttachResult attach(AttachRequest request, CallContext context) {
        return AttachResult.at("");
    }

    /** Does nothing: the node already released the device at the unmount. */
    @Override
    public void detach(DetachRequest request, CallContext context) {}
}
