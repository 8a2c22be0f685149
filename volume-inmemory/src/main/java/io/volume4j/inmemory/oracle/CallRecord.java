package io.volume4j.inmemory.oracle;

/**
 * One call to a storage, as the oracle needs to know it.
 *
 * @param number different for every call of a run
 * @param process that made it, {@code ""} if unknown
 * @param incarnation of that process
 * @param node where it has its effect, {@code ""} where that means nothing
 * @param podUid {@code ""} for calls that concern no pod
 * @param driver that was asked
 * @param facts what the request says that a rule looks at
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
     * What a request asks for, as far as a rule looks at it.
     *
     * @param target the path that it wants something at, {@code ""} for none
     * @param oneNode whether the volume may be attached to one node only
     * @param onePod whether one pod only may use it
     * @param readOnly whether the pod asked for a volume that it cannot write
     * @param askedReadOnly whether the request says so
     * @param standsOn the call that must have succeeded before, on the same node and in the same boot: {@code attach},
     *     {@code mountDevice}, or {@code ""} for none
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
