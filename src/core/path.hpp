// The way from the root of the tree to a node. Runs that follow each other have most of it in
// common: to lead it elsewhere takes as long as what is new.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/tree.hpp"

namespace heddle {

class Path {
 public:
  // From the root's child down to this node. Returns how many of the nodes are as they were.
  std::size_t lead_to(Node* node) {
    nodes_.resize(node->depth);
    serials_.resize(node->depth);
    // Who is the same as before has the same ancestors.
    for (; node->parent != nullptr && !passes(node); node = node->parent) {
      nodes_[node->depth - 1] = node;
      serials_[node->depth - 1] = node->serial;
    }
    return node->depth;
  }

  void extend(Node* node) {
    nodes_.push_back(node);
    serials_.push_back(node->serial);
  }

  std::size_t size() const { return nodes_.size(); }
  Node* operator[](std::size_t k) const { return nodes_[k]; }
  std::span<Node* const> nodes() const { return nodes_; }

 private:
  // Memory of nodes is used again, serials are not: those of new entries are 0.
  bool passes(const Node* node) const { return serials_[node->depth - 1] == node->serial; }

  std::vector<Node*> nodes_;
  std::vector<std::uint64_t> serials_;
};

}  // namespace heddle
