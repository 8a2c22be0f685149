package io.volume4j.inmemory.scale;

/**
 * The size of a world.
 *
 * @param seed of the world
 * @param nodes the number of nodes
 * @param agents the number of nodes with an agent; on the others, which are only objects, volumes are attached and never mounted
 * @param podsPerNode initial pods on each node
 * @param volumesPerPod claims of each pod, each with its own volume
 */
public record ScaleSettings(long seed, int nodes, int agents, int podsPerNode, int volumesPerPod) {
    public ScaleSettings {
        if (nodes < 2 || agents < 1 || agents > nodes || podsPerNode < 1 || volumesPerPod < 1) {
            throw new IllegalArgumentException(
                    "there must be two nodes, an agent on one of them, a pod on each, and a volume for it: "
                            + nodes + " nodes, " + agents + " agents, " + podsPerNode + " pods a node, " + volumesPerPod
                            + " volumes a pod");
        }
    }

    /** The number of volumes. */
    public int volumes() {
        return nodes * podsPerNode * volumesPerPod;
    }
}
