// SPDX-License-Identifier: BSD-3-Clause
// The projected gradient loop on a CUDA device, in three forms (SCREE_CUDA_LOOP chooses one; auto is the default):
//
//  persistent  one cooperative launch for the whole loop; up to `persistent_contacts` contacts, where launches would
//              cost more than the passes, on cards that hold all its blocks at once.
//  graph       a CUDA graph with a conditional WHILE node: contact pass, body pass, certificate (which leaves at once
//              where none is due), and no word with the host. It is made once: sizes and addresses lie in constant
//              memory, grids have a fixed size of which blocks without work leave at once.
//  host        the generic form, two waits per iteration: the specification of the other two.
//
// All three run the same items with the same decisions; the persistent form's and the graph's sums have the same shape
// as those of class Cuda, so that results do not depend on the form, nor on the card.
#pragma once

#include "kernels/cone/projected_gradient_blocks.hpp"
#include "kernels/parallel/cuda.cuh"
#include "kernels/parallel/error.hpp"

#include <cooperative_groups.h>
#include <cuda_runtime.h>

#include <array>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <string>

namespace scree::kernels {

/// The data of the solve in progress, in constant memory: as kernel arguments would be, which a graph's nodes cannot
/// change. One per device and program, so that solves by graph take turns (see run_graph). Raw bytes, because a
/// constant variable has no initialiser.
template <class Data>
struct ConstantRoom {
    alignas(Data) unsigned char bytes[sizeof(Data)];
};
template <class R, int W>
__constant__ ConstantRoom<ProjectedGradientData<R, W>> graph_data;
/// Held by the solve whose data graph_data is.
template <class R, int W>
inline std::mutex graph_data_in_use;

template <LoopPass pass, class R, int W, RowKind K>
__global__ void __launch_bounds__(block_threads, sizeof(R) == 4 && K == RowKind::sliding ? 4 : 1)
    graph_kernel(ProjectedGradientControl* control, double* partials, unsigned* arrived,
                 cudaGraphConditionalHandle loop) {
    if (pass == LoopPass::certificate && !control->certify) return;
    const auto& data = *reinterpret_cast<const ProjectedGradientData<R, W>*>(graph_data<R, W>.bytes);
    const unsigned blocks = loop_blocks<pass>(data);
    if (blockIdx.x >= blocks) return;
    __shared__ LoopMemory memory;
    CudaBlock block(blocks);
    const bool last = loop_block<pass, R, W, K>(block, memory, data, control, partials, arrived);
    if (pass == LoopPass::contacts || !last) return;
    block.once([&] { cudaGraphSetConditional(loop, control->running ? 1 : 0); });
}

/// A cooperative grid as persistent_loop() sees it.
class CudaGrid {
public:
#ifdef __CUDA_ARCH__
    __device__ CudaGrid(LoopMemory& memory, ProjectedGradientControl& control)
        : block_(gridDim.x), memory_(memory), control_(control) {}
    [[nodiscard]] __device__ unsigned blocks() const { return gridDim.x; }
    [[nodiscard]] __device__ const ProjectedGradientControl& control() const { return control_; }
    template <class Pass>
    __device__ void pass(const Pass& pass) {
        pass(block_, memory_);
        cooperative_groups::this_grid().sync();
    }
    template <class Decision>
    __device__ void decide(const Decision& decision) {
        decision(block_, memory_, control_);
        __syncthreads();
    }
#else
    SCREE_HD CudaGrid(LoopMemory& memory, ProjectedGradientControl& control)
        : block_(0), memory_(memory), control_(control) {}
    SCREE_HD unsigned blocks() const { return block_.count(); }
    SCREE_HD const ProjectedGradientControl& control() const { return control_; }
    template <class Pass>
    SCREE_HD void pass(const Pass&) {}
    template <class Decision>
    SCREE_HD void decide(const Decision&) {}
#endif

private:
    CudaBlock block_;
    LoopMemory& memory_;
    ProjectedGradientControl& control_;
};

template <class R, int W, RowKind K>
// One block per multiprocessor is enough for the problems it is for: registers before resident blocks.
__global__ void __launch_bounds__(block_threads, 1)
    persistent_kernel(const __grid_constant__ ProjectedGradientData<R, W> data, ProjectedGradientControl* control,
                      double* partials) {
    __shared__ LoopMemory memory;
    // Raw memory: a shared variable has no initialiser.
    __shared__ alignas(ProjectedGradientControl) unsigned char room[sizeof(ProjectedGradientControl)];
    auto& mine = *reinterpret_cast<ProjectedGradientControl*>(room);
    if (threadIdx.x == 0) mine = *control;
    __syncthreads();
    CudaGrid grid(memory, mine);
    persistent_loop<R, W, K>(grid, data, partials);
    if (blockIdx.x == 0 && threadIdx.x == 0) *control = mine;
}

template <class R>
class ProjectedGradientLoop<Cuda, R> {
public:
    static constexpr int W = Cuda::tile;
    using Data = ProjectedGradientData<R, W>;
    /// Unmeasured on a GPU: numerics section 9 gives about 30 000 contacts as the size below which launches bind.
    static constexpr Index persistent_contacts = 30000;

    ProjectedGradientLoop() {
        const char* form = std::getenv("SCREE_CUDA_LOOP");
        form_ = form != nullptr ? form : "auto";
        if (form_ != "auto" && form_ != "graph" && form_ != "persistent" && form_ != "host")
            throw DeviceError("SCREE_CUDA_LOOP is '" + form_ + "'; auto, graph, persistent and host are known");
    }

    template <RowKind K>
    void run(Cuda& cuda, const Data& data, ProjectedGradientControl& control) {
        if (!control.running) return;
        const bool small = form_ == "persistent" || (form_ == "auto" && data.problem.contacts <= persistent_contacts);
        // Islands of joints have a pass of their own, which the other forms do not launch.
        if (form_ == "host" || data.problem.islands.islands > 0)
            run_on_host<K, Cuda, R>(cuda, data, control);
        else if (!small || !run_persistent<K>(cuda, data, control))
            run_graph<K>(cuda, data, control);
    }

private:
    struct GraphDestroy {
        using pointer = cudaGraphExec_t;
        void operator()(cudaGraphExec_t graph) const noexcept { cudaGraphExecDestroy(graph); }
    };
    using Graph = std::unique_ptr<CUgraphExec_st, GraphDestroy>;
    struct CloseStream {
        using pointer = cudaStream_t;
        void operator()(cudaStream_t stream) const noexcept { cudaStreamDestroy(stream); }
    };

    /// False where the card does not hold all blocks at once.
    template <RowKind K>
    bool run_persistent(Cuda& cuda, const Data& data, ProjectedGradientControl& control) {
        const auto kernel = persistent_kernel<R, W, K>;
        const unsigned blocks = persistent_blocks(data);
        int& resident = resident_[std::size_t(K)];
        if (resident < 0) {
            int cooperative = 0, multiprocessors = 0, per_multiprocessor = 0;
            constexpr const char* what = "asking what the card can hold";
            cuda.check(cudaDeviceGetAttribute(&cooperative, cudaDevAttrCooperativeLaunch, cuda.device()), what);
            cuda.check(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, cuda.device()), what);
            cuda.check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&per_multiprocessor, kernel, block_threads, 0),
                       what);
            resident = cooperative != 0 ? multiprocessors * per_multiprocessor : 0;
        }
        if (blocks > unsigned(resident)) return false;
        double* partials = cuda.partial_results(blocks, persistent_columns());
        ProjectedGradientControl* device_control = control_on_device();
        cuda.send(device_control, &control, sizeof control);
        Data argument = data;
        void* arguments[] = {&argument, &device_control, &partials};
        cuda.check(cudaLaunchCooperativeKernel(kernel, dim3(blocks), dim3(block_threads), arguments, 0, cuda.stream()),
                   "the solver's persistent loop", data.problem.contacts);
        cuda.fetch(&control, device_control, sizeof control);
        return true;
    }

    template <RowKind K>
    void run_graph(Cuda& cuda, const Data& data, ProjectedGradientControl& control) {
        Graph& graph = graphs_[std::size_t(K)];
        double* partials = cuda.partial_results(most_reduction_blocks, loop_columns);
        ProjectedGradientControl* device_control = control_on_device();
        if (!graph || partials != partials_in_graph_) {
            for (Graph& old : graphs_) old.reset();
            make_graph<K>(cuda, graph, device_control, partials);
            partials_in_graph_ = partials;
        }
        const std::lock_guard<std::mutex> lock(graph_data_in_use<R, W>);
        cuda.check(
            cudaMemcpyToSymbolAsync(graph_data<R, W>, &data, sizeof data, 0, cudaMemcpyHostToDevice, cuda.stream()),
            "a copy to the device");
        cuda.send(device_control, &control, sizeof control);
        cuda.check(cudaGraphLaunch(graph.get(), cuda.stream()), "the solver's graph", data.problem.contacts);
        cuda.fetch(&control, device_control, sizeof control);
    }

    ProjectedGradientControl* control_on_device() {
        if (control_.size() == 0) control_.resize_discard(1);
        return control_.data();
    }

    template <RowKind K>
    static void make_graph(Cuda& cuda, Graph& made, ProjectedGradientControl* control, double* partials) {
        constexpr const char* what = "making the solver's graph (SCREE_CUDA_LOOP=host does without)";
        struct Destroy {
            using pointer = cudaGraph_t;
            void operator()(cudaGraph_t graph) const noexcept { cudaGraphDestroy(graph); }
        };
        cudaGraph_t raw = nullptr;
        cuda.check(cudaGraphCreate(&raw, 0), what);
        const std::unique_ptr<CUgraph_st, Destroy> graph(raw);
        cudaGraphConditionalHandle loop{};
        cuda.check(cudaGraphConditionalHandleCreate(&loop, raw, 1, cudaGraphCondAssignDefault), what);
        cudaGraphNodeParams parameters{};
        parameters.type = cudaGraphNodeTypeConditional;
        parameters.conditional.handle = loop;
        parameters.conditional.type = cudaGraphCondTypeWhile;
        parameters.conditional.size = 1;
        cudaGraphNode_t node = nullptr;
        cuda.check(cudaGraphAddNode(&node, raw, nullptr, nullptr, 0, &parameters), what);

        // Kernels are loaded before the capture, which allows no loading; and the capture is made on a stream of its
        // own, as copies of other threads by the legacy stream would end one on a blocking stream.
        cudaFuncAttributes loaded{};
        cuda.check(cudaFuncGetAttributes(&loaded, graph_kernel<LoopPass::contacts, R, W, K>), what);
        cuda.check(cudaFuncGetAttributes(&loaded, graph_kernel<LoopPass::bodies, R, W, K>), what);
        cuda.check(cudaFuncGetAttributes(&loaded, graph_kernel<LoopPass::certificate, R, W, K>), what);
        cudaStream_t stream = nullptr;
        cuda.check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), what);
        const std::unique_ptr<CUstream_st, CloseStream> closer(stream);
        cudaGraph_t body = parameters.conditional.phGraph_out[0];
        cuda.check(cudaStreamBeginCaptureToGraph(stream, body, nullptr, nullptr, 0, cudaStreamCaptureModeThreadLocal),
                   what);
        unsigned* arrived = cuda.arrived();
        graph_kernel<LoopPass::contacts, R, W, K>
            <<<most_reduction_blocks, block_threads, 0, stream>>>(control, partials, arrived, loop);
        graph_kernel<LoopPass::bodies, R, W, K>
            <<<most_reduction_blocks, block_threads, 0, stream>>>(control, partials, arrived, loop);
        graph_kernel<LoopPass::certificate, R, W, K>
            <<<most_reduction_blocks, block_threads, 0, stream>>>(control, partials, arrived, loop);
        const cudaError_t launched = cudaGetLastError();
        cudaGraph_t captured = nullptr;
        const cudaError_t ended = cudaStreamEndCapture(stream, &captured);
        cuda.check(launched, what);
        cuda.check(ended, what);
        cudaGraphExec_t executable = nullptr;
        cuda.check(cudaGraphInstantiate(&executable, raw, 0), what);
        made.reset(executable);
    }

    std::string form_;
    int resident_[4] = {-1, -1, -1, -1};  ///< By RowKind.
    std::array<Graph, 4> graphs_;         ///< By RowKind.
    double* partials_in_graph_ = nullptr;
    Array<ProjectedGradientControl, Cuda> control_;
};

}  // namespace scree::kernels
