package io.volume4j.inmemory.oracle;

/**
 * One call to a storage backend, with the data that the oracle needs.
 * @param number unique for every call of a run
 * @param process the process that made it, {@code ""} if unknown
 * @param incarnation the incarnation of that process
 * @param node the node of its effect, {@code ""} if it has none
 * @param podUid {@code ""} for calls that concern no pod
 * @param driver the driver that got the call
 * @param facts the parts of the request that rules examine
 * @since 0.1.0
 */
public record CallRecord(
        long number,
        String process,
        int incarnation,
        String call,
        String volume,
        String node,
        String podUid,
        String operationId,
        String driver,
        Facts facts) {

    /**
     * The parts of a request that rules examine.
     * @param target the path for the volume, {@code ""} for none
     * @param oneNode whether the volume may be attached to one node only
     * @param onePod whether only one pod may use it
     * @param readOnly whether the pod requested a read-only volume
     * @param askedReadOnly whether the call requests it read-only
     * @param standsOn the call that must have succeeded before, on the same node and in the same boot:
     *     {@code attach}, {@code mountDevice}, or {@code ""} for none
     */
    public record Facts(
            String target, boolean oneNode, boolean onePod, boolean readOnly, boolean askedReadOnly, String standsOn) {
        public static Facts none() {
            return at("");
        }

        public static Facts at(String target) {
            return new Facts(target, false, false, false, false, "");
        }

        public Facts onOneNode(boolean only) {
            return new Facts(target, only, onePod, readOnly, askedReadOnly, standsOn);
        }

        public Facts forPod(boolean only, boolean wantedReadOnly, boolean asked) {
            return new Facts(target, oneNode, only, wantedReadOnly, asked, standsOn);
        }

        public Facts standingOn(String call) {
            return new Facts(target, oneNode, onePod, readOnly, askedReadOnly, call);
        }
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder(call).append(' ').append(volume);
        if (!node.isEmpty()) {
            text.append(' ').append(node);
        }
        if (!podUid.isEmpty()) {
            text.append(' ').append(podUid);
        }
        return text.append(" by ")
                .append(process)
                .append('#')
                .append(incarnation)
                .toString();
    }
}
