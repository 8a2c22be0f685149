package io.volume4j.inmemory.scale;

/**
 * How large a world is.
 *
 * @param seed of the world
 * @param nodes how many nodes there are
 * @param agents on how many of them an agent runs; the others are objects, whose pods have their volumes attached and never mounted
 * @param podsPerNode how many pods each node has in the beginning
 * @param volumesPerPod how many claims each pod has, each with a volume of its own
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

    /** How many volumes there are. */
    public int volumes() {
        return nodes * podsPerNode * volumesPerPod;
    }
}
