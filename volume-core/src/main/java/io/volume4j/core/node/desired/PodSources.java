package io.volume4j.core.node.desired;

import io.volume4j.core.objects.ObjectCache;
import io.volume4j.spi.model.Kind;

/**
 * Whether all pods of the node are known: from the cluster, and from wishes that the host states directly. Unknown is
 * not unwanted: while either source is incomplete, the node tears down nothing. Loop thread only.
 */
public final class PodSources {
    private final ObjectCache objects;
    private boolean stated = true;
    private String names = "the cluster";

    public PodSources(ObjectCache objects) {
        this.objects = objects;
    }

    public boolean complete() {
        return stated && objects.complete(Kind.POD);
    }

    public boolean clusterComplete() {
        return objects.complete(Kind.POD);
    }

    public boolean stated() {
        return stated;
    }

    public void stated(boolean complete) {
        stated = complete;
    }

    /** The host states wishes itself. */
    void expectWishes(boolean besideCluster) {
        names = besideCluster ? "the cluster and the host's direct wishes" : "the host's direct wishes";
    }

    /** The sources that can name a pod, for people. */
    String names() {
        return names;
    }
}
